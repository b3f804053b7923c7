/** Records of every kind of column on their way into a table of a real engine. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../store/store.ts'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { intoEvents, pipeInputs } from '../../testing/managedClient.ts'
import { typedColumns, typedRecords, type TypedRecord } from '../../testing/records/typedValues.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { recordNotes } from '../loads/recordNotes.ts'
import { identifier } from '../loads/sqlNames.ts'
import { newPipe } from '../model/newPipe.ts'
import { UsageMeter } from '../model/pipeUsage.ts'
import { RecordBuffer } from './recordBuffer.ts'
import { recordLoader, type RecordLoader } from './recordLoad.ts'

const serviceId = '00000000-0000-4000-8000-000000000001'
const database = databaseOf(serviceId, 'default')
let folder: string
let store: Store
let engine: Engine
let tables = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'records-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  engine = await temporaryEngine()
})
afterAll(async () => {
  await engine.close()
  store.close()
  await rm(folder, { recursive: true, force: true })
})

const id = { name: 'id', type: 'UInt64' }

/** A new table and what loads records into it. */
async function newLoader(
  columns: readonly { name: string; type: string }[],
  more: Partial<PipeCreate> = {},
): Promise<{ loader: RecordLoader; table: string; pipeId: string; statements(): number }> {
  const table = `t${++tables}`
  const into = intoEvents([id, ...columns])
  const input = { ...pipeInputs.kafka, ...into, ...more, destination: { ...into.destination, table } }
  let statements = 0
  const counted: Engine = {
    ...engine,
    loadRows: (...given) => {
      statements++
      return engine.loadRows(...given)
    },
  }
  const pipe = newPipe(serviceId, input, '2026-01-02T03:04:05Z')
  return {
    loader: await recordLoader({ store, engine: counted, meter: new UsageMeter(engine) }, pipe, 'topic', 'datapipes'),
    table: `${database}.${table}`,
    pipeId: pipe.id,
    statements: () => statements,
  }
}

/** Loads records as one batch, whose offsets are their places. */
async function load({ loader }: { loader: RecordLoader }, values: readonly string[]): Promise<void> {
  const batch = new RecordBuffer()
  for (const [offset, value] of values.entries()) {
    const bytes = Buffer.from(value)
    batch.addJson(0, offset, bytes, 0, bytes.length)
  }
  batch.advance(0, 0, values.length)
  await loader.load(batch, async () => undefined, new AbortController().signal)
}

async function badIn(table: string): Promise<{ offset: string; reason: string }[]> {
  const name = `${table}_datapipes_error`
  const [known] = await engine.query<{ found: number }>(
    `SELECT 1 AS found FROM system.tables WHERE concat(database, '.', name) = {name:String}`,
    { params: { name } },
  )
  if (!known) return []
  return engine.query(`SELECT offset, reason FROM ${name} FINAL ORDER BY offset`)
}

/** Compares the table with what the records say of themselves. */
async function expectOutcome(table: string, records: readonly TypedRecord[]): Promise<void> {
  const names = typedColumns.map(({ name }) => name)
  const shown = names.map((name) => `ifNull(toString(${identifier(name)}), '\\\\N') AS ${identifier(`${name}_shown`)}`)
  const rows = await engine.query<Record<string, string>>(`SELECT id, ${shown.join(', ')} FROM ${table} ORDER BY id`)
  const good = records.filter(({ bad }) => bad === null)
  const bad = records.filter((record) => record.bad !== null)
  const listed = await badIn(table)
  // With the record itself, so that a difference says what it is about.
  const missing = good
    .filter((record) => !rows.some((row) => Number(row['id']) === record.id))
    .map(({ id: offset, json }) => ({
      json,
      reason: listed.find((candidate) => Number(candidate.offset) === offset)?.reason,
    }))
  const extra = bad.filter((record) => rows.some((row) => Number(row['id']) === record.id)).map(({ json }) => json)
  expect({ missing, extra }).toEqual({ missing: [], extra: [] })
  expect(rows.map((row) => Number(row['id']))).toEqual(good.map((record) => record.id))
  expect(listed.map(({ offset }) => Number(offset))).toEqual(bad.map((record) => record.id))
  for (const [at, { json, stored }] of good.entries()) {
    const found = Object.fromEntries(Object.keys(stored).map((name) => [name, rows[at]?.[`${name}_shown`]]))
    expect({ json, stored: found }).toEqual({ json, stored })
  }
}

/** Fails with the difference, and not with all records. */
function reportDifference<Values>({ failed, seed, errorInstance }: fc.RunDetails<Values>): void {
  if (failed)
    throw new Error(`seed ${seed}: ${errorInstance instanceof Error ? errorInstance.message : ''}`, {
      cause: errorInstance,
    })
}

test('as many records are bad as are asked for, in all columns alike', () => {
  for (const seed of [1, 2, 3]) {
    const [records = []] = fc.sample(typedRecords(2000, 5), { numRuns: 1, seed })
    const columns = records.flatMap(({ bad }) => bad ?? [])
    expect(columns).toHaveLength(100)
    const counts = typedColumns.map(({ name }) => columns.filter((column) => column === name).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
  }
})

test.each([0, 5, 60])(
  'of records of which %i in 100 are bad, each good one is stored once, each bad one is listed',
  { timeout: 300_000 },
  async (share) => {
    await fc.assert(
      fc.asyncProperty(typedRecords(200, share), async (records) => {
        const into = await newLoader(typedColumns)
        await load(
          into,
          records.map(({ json }) => json),
        )
        await expectOutcome(into.table, records)
      }),
      { numRuns: 2, endOnFailure: true, reporter: reportDifference },
    )
  },
)

test('ordinary values take one statement', async () => {
  const columns = [
    { name: 'at', type: 'DateTime64(3)' },
    { name: 'day', type: 'Date' },
    { name: 'level', type: "Enum8('info' = 1, 'error' = 2)" },
    { name: 'sizes', type: 'Map(String, UInt32)' },
    { name: 'ratio', type: 'Nullable(Float64)' },
    { name: 'text', type: 'LowCardinality(String)' },
  ]
  const into = await newLoader(columns)
  await load(into, [
    '{"id":1,"at":"2026-01-02T03:04:05.678Z","day":"2026-01-02","level":"error","sizes":{"a":1},"ratio":0.5,"text":"x"}',
    '{"id":2,"at":"2026-01-02 03:04:05","ratio":null}',
    '{"id":3}',
  ])
  expect(into.statements()).toBe(1)
  expect(await engine.query(`SELECT * FROM ${into.table} ORDER BY id`)).toMatchObject([
    { at: '2026-01-02 03:04:05.678', day: '2026-01-02', level: 'error', sizes: { a: 1 }, ratio: 0.5, text: 'x' },
    { at: '2026-01-02 03:04:05.000', ratio: null },
    { at: '1970-01-01 00:00:00.000', day: '1970-01-01', level: 'info', sizes: {}, ratio: null, text: '' },
  ])
})

test('the field and the value of a bad record are named', async () => {
  const into = await newLoader([
    { name: 'small', type: 'UInt8' },
    { name: 'list', type: 'Array(Date)' },
  ])
  await load(into, [
    '{"id":1,"small":300}',
    '{"id":2,"list":["2026-01-02","2026-13-01"]}',
    '{"id":99999999999999999999}',
  ])
  expect(await badIn(into.table)).toEqual([
    { offset: '0', reason: 'small: 300 is out of range for UInt8' },
    { offset: '1', reason: 'list[1]: 2026-13-01 is a date that does not exist' },
    { offset: '2', reason: 'id: 99999999999999999999 is out of range for UInt64' },
  ])
})

const withoutValue: readonly (readonly [type: string, values: readonly string[]])[] = [
  ['UInt64', ['', ' ', '\t', '-', ' + ']],
  ['Int128', ['']],
  ['Nullable(Int32)', ['']],
  ['Float64', ['', '.']],
  ['Array(Int32)', ['[,1]', '[1,,2]', '[ - ]']],
  ['Map(String, UInt8)', ['{"a":}', '{"a": ,"b":1}']],
]

// One in a batch: others that the engine refuses would have all records looked at.
test.each(withoutValue.flatMap(([type, values]) => values.map((value) => [type, value])))(
  'a record without a value is bad, and no 0: %s in "%s"',
  async (type, value) => {
    const into = await newLoader([
      { name: 'v', type },
      { name: 'text', type: 'String' },
    ])
    await load(into, ['{"id":1,"text":"a:,b:}"}', `{"id":2,"v":${value}}`, '{"id":3}'])
    expect(await engine.query(`SELECT id FROM ${into.table} ORDER BY id`)).toEqual([{ id: '1' }, { id: '3' }])
    expect((await badIn(into.table)).map(({ offset }) => offset)).toEqual(['1'])
  },
)

/** Types that do not have the text `never`. */
const withoutNever = `Int8;UInt64;Int128;Int256;UInt256;Float32;Decimal(9, 2);Bool;Date;Date32;DateTime;DateTime64(3);UUID;IPv4;IPv6;
  Enum8('a' = 1);Array(Date);Map(String, Date32);Tuple(d Date);Nullable(Date);Nullable(Int256);Array(Int256)`

test.each(withoutNever.split(/;\s*/))('a value that is the only bad one of its batch is bad: %s', async (type) => {
  const into = await newLoader([{ name: 'v', type }])
  const bad = type.startsWith('Array') ? '["never"]' : /^(?:Map|Tuple)/.test(type) ? '{"d":"never"}' : '"never"'
  await load(into, ['{"id":1}', `{"id":2,"v":${bad}}`, '{"id":3}'])
  expect(await engine.query(`SELECT id FROM ${into.table} ORDER BY id`)).toEqual([{ id: '1' }, { id: '3' }])
  expect((await badIn(into.table)).map(({ offset }) => offset)).toEqual(['1'])
})

test.each(['Int256', 'UInt256'])('a number that is too large is bad: %s', async (type) => {
  const into = await newLoader([{ name: 'v', type }])
  const most = type === 'Int256' ? 2n ** 255n - 1n : 2n ** 256n - 1n
  await load(into, [`{"id":1,"v":${most}}`, `{"id":2,"v":"${most + 1n}"}`, `{"id":3,"v":1${'0'.repeat(90)}}`])
  expect(await engine.query(`SELECT toString(v) AS v FROM ${into.table}`)).toEqual([{ v: String(most) }])
  expect((await badIn(into.table)).map(({ offset }) => offset)).toEqual(['1', '2'])
})

test('many bad records of a batch are sorted out with few statements', { timeout: 60_000 }, async () => {
  const into = await newLoader([
    { name: 'key', type: 'UUID' },
    { name: 'small', type: 'UInt8' },
  ])
  const values = Array.from({ length: 5000 }, (_, at) => {
    const bad = at % 6 === 0 ? '"key":"none"' : '"small":"many"'
    return `{"id":${at}${at % 3 === 0 ? `,${bad}` : ''}}`
  })
  await load(into, values)
  expect(await engine.query(`SELECT count() AS rows FROM ${into.table}`)).toEqual([{ rows: '3333' }])
  expect(await badIn(into.table)).toHaveLength(1667)
  expect(into.statements()).toBeLessThan(5)
})

describe('what the table refuses', () => {
  test('is bad, and the others are stored', { timeout: 60_000 }, async () => {
    const into = await newLoader([])
    await engine.command(`ALTER TABLE ${into.table} ADD CONSTRAINT most CHECK id < 100`)
    await load(into, ['{"id":1}', '{"id":100}', '{"id":2}', '{"id":3}', '{"id":200}'])
    expect(await engine.query(`SELECT id FROM ${into.table} ORDER BY id`)).toEqual([
      { id: '1' },
      { id: '2' },
      { id: '3' },
    ])
    expect((await badIn(into.table)).map(({ offset }) => offset)).toEqual(['1', '4'])
    // A batch of one record, after one that was loaded.
    await load(into, ['{"id":300}'])
    expect((await badIn(into.table)).map(({ offset }) => offset)).toEqual(['0', '1', '4'])
  })

  test.each([
    ['a table that is gone', (table: string) => `DROP TABLE ${table}`],
    ['a table that refuses all', (table: string) => `ALTER TABLE ${table} ADD CONSTRAINT none CHECK 0`],
  ])('%s is not the fault of the records', { timeout: 60_000 }, async (_, change) => {
    const into = await newLoader([])
    await engine.command(change(into.table))
    const failure = load(into, ['{"id":1}', '{"id":2}', '{"id":3}'])
    await expect(failure).rejects.toMatchObject({ name: 'LoadStopped', place: 'offset 0 of partition 0 of topic' })
    expect(await badIn(into.table)).toEqual([])
  })
})

describe('null', () => {
  const columns = [
    { name: 'price', type: 'UInt32' },
    { name: 'day', type: 'Date' },
    { name: 'list', type: 'Array(UInt8)' },
    { name: 'note', type: 'Nullable(String)' },
  ]
  const records = [
    '{"id":1,"price":null,"day":null,"list":[1],"note":null}',
    '{"id":2,"pr\\u0069ce":null,"note":"\\"price\\": null"}',
    '{"id":3,"list":null,"note":null}',
    '{"id":4,"price":7,"unknown":null,"note":"null"}',
  ]

  test('for a column that has none is its default, and counted', async () => {
    const into = await newLoader(columns)
    await load(into, records)
    expect(await engine.query(`SELECT * FROM ${into.table} ORDER BY id`)).toEqual([
      { id: '1', price: 0, day: '1970-01-01', list: [1], note: null },
      { id: '2', price: 0, day: '1970-01-01', list: [], note: '"price": null' },
      { id: '3', price: 0, day: '1970-01-01', list: [], note: null },
      { id: '4', price: 7, day: '1970-01-01', list: [], note: 'null' },
    ])
    expect(await recordNotes(store, into.pipeId)).toEqual([
      '4 null values became the default of their columns: price 2, day 1, list 1',
    ])
  })

  test('makes a record bad by a setting of the pipe', async () => {
    const into = await newLoader(columns, { settings: { reject_null_values: true } })
    await load(into, records)
    expect(await engine.query(`SELECT id FROM ${into.table}`)).toEqual([{ id: '4' }])
    expect(await badIn(into.table)).toEqual(
      ['price', 'price', 'list'].map((field, at) => ({
        offset: String(at),
        reason: `${field}: null, and its column is neither Nullable nor has a DEFAULT that needs no other column`,
      })),
    )
    expect(await recordNotes(store, into.pipeId)).toEqual(['3 bad records, see their table'])
  })

  const composed = [
    { name: 'list', type: 'Array(UInt8)' },
    { name: 'deep', type: 'Array(Array(Date))' },
    { name: 'map', type: 'Map(String, UInt32)' },
    { name: 'pair', type: 'Tuple(a UInt8, b Nullable(String))' },
    { name: 'two', type: 'Tuple(UInt8, String)' },
    { name: 'free', type: 'Array(Nullable(UInt8))' },
  ]
  const within = [
    '{"id":1,"list":[1,null,null],"free":[null]}',
    '{"id":2,"deep":[["2026-01-02"],[null]]}',
    '{"id":3,"map":{"x":null,"y":2}}',
    '{"id":4,"pair":{"a":null,"b":null}}',
    '{"id":5,"two":[null,"t"]}',
    '{"id":6,"list":[6],"pair":{"b":null},"free":[null,1],"other":[null]}',
  ]

  test('within a value is a default, and counted by its place in the type', async () => {
    const into = await newLoader(composed)
    await load(into, within)
    expect(
      await engine.query(`SELECT id, list, deep, map, pair.a AS a, two.1 AS first FROM ${into.table} ORDER BY id`),
    ).toMatchObject([
      { list: [1, 0, 0] },
      { deep: [['2026-01-02'], ['1970-01-01']] },
      { map: { x: 0, y: 2 } },
      { a: 0 },
      { first: 0 },
      { list: [6] },
    ])
    expect(await recordNotes(store, into.pipeId)).toEqual([
      '6 null values became the default of their columns: list[] 2, deep[][] 1, map.* 1, pair.a 1, two.1 1',
    ])
  })

  test('within a value makes a record bad by a setting of the pipe', async () => {
    const into = await newLoader(composed, { settings: { reject_null_values: true } })
    await load(into, within)
    expect(await engine.query(`SELECT id FROM ${into.table}`)).toEqual([{ id: '6' }])
    expect(await badIn(into.table)).toEqual(
      ['list[]', 'deep[][]', 'map.*', 'pair.a', 'two.1'].map((field, at) => ({
        offset: String(at),
        reason: `${field}: null, and its type within the column is not Nullable`,
      })),
    )
  })

  test('and a missing field have the DEFAULT of the column', async () => {
    const name = `own${++tables}`
    const table = `${database}.${name}`
    await engine.command(`CREATE DATABASE IF NOT EXISTS ${database}`)
    await engine.command(`CREATE TABLE ${table} (id UInt64, price UInt32 DEFAULT 5, day Date DEFAULT '2026-01-02',
      kind LowCardinality(String) DEFAULT concat('no. ', toString(id))) ENGINE = MergeTree ORDER BY id`)
    const into = intoEvents([
      id,
      { name: 'price', type: 'UInt32' },
      { name: 'day', type: 'Date' },
      { name: 'kind', type: 'LowCardinality(String)' },
    ])
    const destination = { ...into.destination, table: name, managedTable: false }
    const input = { ...pipeInputs.kafka, ...into, destination, settings: { reject_null_values: true } }
    const pipe = newPipe(serviceId, input, '2026-01-02T03:04:05Z')
    const loader = await recordLoader({ store, engine, meter: new UsageMeter(engine) }, pipe, 'topic', 'datapipes')
    await load({ loader }, [
      '{"id":1}',
      '{"id":2,"price":null,"day":null,"kind":null}',
      '{"id":3,"price":0,"day":"2026-05-06","kind":""}',
      '{"id":4,"price":-1}',
    ])
    expect(await engine.query(`SELECT * FROM ${table} ORDER BY id`)).toEqual([
      { id: '1', price: 5, day: '2026-01-02', kind: 'no. 1' },
      { id: '2', price: 5, day: '2026-01-02', kind: 'no. 2' },
      { id: '3', price: 0, day: '2026-05-06', kind: '' },
    ])
    expect((await badIn(table)).map(({ offset }) => offset)).toEqual(['3'])
    expect(await recordNotes(store, pipe.id)).toEqual(['1 bad record, see their table'])
  })
})
