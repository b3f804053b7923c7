/** Any values of many types: a row is in the destination as it is at the source, or it is a bad record. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeLiteral } from 'pg'
import { ownPostgres } from '#node/testing/testPostgres.ts'
import { postgresPipes, tableMapping } from '../../testing/postgres/postgresPipes.ts'

const postgres = ownPostgres({ settings: ['wal_level=logical'] })
const sql = (statements: string) => postgres.server.sql(statements)
const pipes = postgresPipes(postgres)
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100 })

/** A text that both servers have, of a value of the source and of the engine. */
interface Column {
  type: string
  values: fc.Arbitrary<string>
  there(column: string): string
  here(column: string): string
  /** Whether the engine has room for a value. Default: for all of them. */
  fits?(value: string): boolean
}

const inRange = (value: string) => /^(?:19|2[0-2])\d\d-[-\d]+(?: [:.\d]+)?$/.test(value)
const hasWhole = (digits: number) => (value: string) => {
  const [, mantissa = '', scale = ''] = /^-?(\d+)e-(\d+)$/.exec(value) ?? []
  return mantissa !== '' && BigInt(mantissa) < 10n ** BigInt(digits + Number(scale))
}

const text = (column: string) => `${column}::text`
const same = (column: string) => `toString(${column})`
const time = (column: string) => `to_char(${column}, 'YYYY-MM-DD HH24:MI:SS.US')`
const bits = (count: 32 | 64) => (column: string) =>
  `leftPad(hex(reinterpretAsUInt${count}(${column})), ${count / 4}, '0')`
/** The engine has no NULL for arrays: there, it is an empty one. */
const list = (column: string) => `coalesce(array_to_json(${column})::text, '[]')`
const asList = (column: string) => `toJSONString(${column})`

const whole = (bits: number) => fc.bigInt(-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n).map(String)
const day = fc
  .tuple(fc.integer({ min: 1, max: 12_000 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, of]) => [String(year).padStart(4, '0'), month, of].join('-'))
/** Most are in the range of the engine. */
const nearDay = fc
  .tuple(fc.integer({ min: 1890, max: 2310 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map((parts) => parts.join('-'))
const days = fc.oneof(
  { weight: 6, arbitrary: nearDay },
  day,
  nearDay.map((one) => `${one} BC`),
  fc.constantFrom('infinity', '-infinity'),
)
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 59_999_999 }))
  .map(([hour, minute, micros]) => `${hour}:${minute}:${(micros / 1e6).toFixed(6)}`)
const times = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(nearDay, clock).map((parts) => parts.join(' ')) },
  fc.tuple(day, clock).map((parts) => parts.join(' ')),
  fc.constantFrom(
    'infinity',
    '-infinity',
    '2299-12-31 23:59:59.999999',
    '1900-01-01 00:00:00',
    '1899-12-31 23:59:59.999999',
  ),
)
const decimal = (digits: number, scale: number) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .bigInt(-(10n ** BigInt(digits)) + 1n, 10n ** BigInt(digits) - 1n)
        .map((value) => `${value}e-${scale}`),
    },
    fc.constant('NaN'),
  )
const wild = fc.oneof(
  fc.double({ noDefaultInfinity: false }).map(String),
  fc.constantFrom('1e-45', '5e-324', 'NaN', '-0'),
)
const real = fc.oneof(fc.float().map(String), fc.constantFrom('1e-45', '-1e-40', 'NaN'))
const words = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((word) => !word.includes('\0') && word.isWellFormed())

const columns: Column[] = [
  { type: 'smallint', values: whole(16), there: text, here: same },
  { type: 'bigint', values: whole(64), there: text, here: same },
  { type: 'boolean', values: fc.boolean().map(String), there: (column) => `${column}::int::text`, here: same },
  { type: 'real', values: real, there: (column) => `upper(encode(float4send(${column}), 'hex'))`, here: bits(32) },
  {
    type: 'double precision',
    values: wild,
    there: (column) => `upper(encode(float8send(${column}), 'hex'))`,
    here: bits(64),
  },
  {
    type: 'numeric',
    fits: hasWhole(19),
    values: fc.oneof({ weight: 8, arbitrary: decimal(38, 19) }, decimal(60, 10)),
    there: (column) => `trim_scale(${column})::text`,
    here: same,
  },
  {
    type: 'numeric(12, 3)',
    fits: (value) => value !== 'NaN',
    values: decimal(12, 3),
    there: (column) => `trim_scale(${column})::text`,
    here: same,
  },
  { type: 'date', fits: inRange, values: days, there: text, here: same },
  { type: 'timestamp', fits: inRange, values: times, there: time, here: same },
  {
    type: 'timestamptz',
    fits: inRange,
    values: times,
    there: (column) => time(`${column} AT TIME ZONE 'UTC'`),
    here: same,
  },
  { type: 'text', values: words, there: (column) => `upper(md5(${column}))`, here: (column) => `hex(MD5(${column}))` },
  {
    type: 'jsonb',
    values: fc
      .jsonValue()
      .map((value) => JSON.stringify(value))
      .filter((value) => !value.includes(String.raw`\u`)),
    there: (column) => `upper(md5(${column}::text))`,
    here: (column) => `hex(MD5(${column}))`,
  },
  { type: 'uuid', values: fc.uuid(), there: text, here: same },
  {
    type: 'int[]',
    fits: (value) => !value.startsWith('{{'),
    values: fc.oneof(
      { weight: 5, arbitrary: fc.array(whole(32), { maxLength: 4 }).map((all) => `{${all.join(',')}}`) },
      fc.constantFrom('{{1,2},{3,4}}', '{NULL}'),
    ),
    there: list,
    here: asList,
  },
  {
    type: 'bytea',
    values: fc.uint8Array({ maxLength: 9 }).map((all) => String.raw`\x${Buffer.from(all).toString('hex')}`),
    there: text,
    here: same,
  },
]

test('rows are as they are at the source, or bad records', { timeout: 300_000 }, async () => {
  let last = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(...columns.map(({ values }) => fc.option(values, { freq: 12 }))), {
        minLength: 1,
        maxLength: 40,
      }),
      fc.boolean(),
      async (all, isCopied) => {
        const name = `rows_${++last}`
        const named = columns.map((column, at) => ({ ...column, name: `c${at}` }))
        const literals = all.map((row, id) =>
          [String(id), ...row.map((value) => (value === null ? 'NULL' : escapeLiteral(value)))].join(', '),
        )
        await sql(
          `CREATE TABLE ${name} (id int PRIMARY KEY, ${named.map((column) => `${column.name} ${column.type}`).join(', ')})`,
        )
        const fill = () => sql(`INSERT INTO ${name} VALUES ${literals.map((row) => `(${row})`).join(', ')}`)
        if (isCopied) await fill()
        const pipe = await pipes.create([tableMapping(name)], { allowNullableColumns: true })
        await eventually(pipe.get).toMatchObject({ state: 'Running' })
        if (!isCopied) await fill()
        const there = await sql(
          `SELECT id::text AS id, json_build_array(${named.map((column) => column.there(column.name)).join(', ')}) AS row FROM ${name} ORDER BY id`,
        )
        const here = async () => {
          const stored = await pipes.engine.query<{ id: string; row: unknown }>(
            `SELECT toString(id) AS id, tuple(${named.map((column) => column.here(column.name)).join(', ')}) AS row FROM ${pipes.database}.${name} FINAL`,
          )
          const bad = await pipe.badRecords()
          return { stored, bad, count: stored.length + bad.length }
        }
        await eventually(here).toMatchObject({ count: all.length })
        const { stored, bad } = await here()
        const sources = new Map(there.map(({ id, row }) => [id, row]))
        for (const { id, row } of stored) expect({ id, row }).toEqual({ id, row: sources.get(id) })
        const good = all.flatMap((row, id) =>
          row.every((value, at) => value === null || (columns[at]?.fits?.(value) ?? true)) ? [String(id)] : [],
        )
        expect(stored.map(({ id }) => id).toSorted()).toEqual(good.toSorted())
        expect(new Set([...good, ...bad.map(({ offset }) => offset)]).size).toBe(all.length)
        await pipe.remove()
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
})
