/** Fields that are missing or null are stored alike, whether the engine reads a file as a whole or its rows are sent one by one. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'

let pipes: PipeFiles
beforeAll(async () => {
  pipes = await startPipeFiles()
})
afterAll(() => pipes.close())

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 50 })

interface Kind {
  name: string
  type: string
  value: string
  /** The DEFAULT of the column: its expression in SQL, and its value as queries return it. */
  DEFAULT: readonly [sql: string, shown: string]
  /** As it is shown. */
  typeDefault: string
}

const kinds: readonly Kind[] = [
  { name: 'number', type: 'UInt8', value: '1', DEFAULT: ['7', '7'], typeDefault: '0' },
  { name: 'price', type: 'Decimal(9, 2)', value: '1.5', DEFAULT: ['7.5', '7.5'], typeDefault: '0' },
  { name: 'text', type: 'String', value: '"x"', DEFAULT: ["'d'", 'd'], typeDefault: '' },
  { name: 'kind', type: 'LowCardinality(String)', value: '"x"', DEFAULT: ["'d'", 'd'], typeDefault: '' },
  {
    name: 'day',
    type: 'Date',
    value: '"2021-02-03"',
    DEFAULT: ["'2020-01-01'", '2020-01-01'],
    typeDefault: '1970-01-01',
  },
  {
    name: 'wideDay',
    type: 'Date32',
    value: '"2021-02-03"',
    DEFAULT: ["'2020-01-01'", '2020-01-01'],
    typeDefault: '1900-01-01',
  },
  {
    name: 'color',
    type: "Enum8('red' = 5, 'blue' = 6)",
    value: '"red"',
    DEFAULT: ["'blue'", 'blue'],
    typeDefault: 'red',
  },
  { name: 'list', type: 'Array(UInt8)', value: '[1]', DEFAULT: ['[7]', '[7]'], typeDefault: '[]' },
  {
    name: 'colors',
    type: "Array(Enum8('red' = 5))",
    value: '["red"]',
    DEFAULT: ["['red']", "['red']"],
    typeDefault: '[]',
  },
  {
    name: 'sizes',
    type: 'Map(String, UInt8)',
    value: '{"a":1}',
    DEFAULT: ["map('d', 7)", "{'d':7}"],
    typeDefault: '{}',
  },
  {
    name: 'pair',
    type: 'Tuple(a UInt8, b Date32)',
    value: '{"a":1,"b":"2021-02-03"}',
    DEFAULT: ["(7, '2020-01-01')", "(7,'2020-01-01')"],
    typeDefault: "(0,'1900-01-01')",
  },
  { name: 'object', type: 'JSON', value: '{"a":1}', DEFAULT: [`'{"a":"x"}'`, '{"a":"x"}'], typeDefault: '{}' },
]
const columns = [{ name: 'id', type: 'UInt64' }, ...kinds.map(({ name, type }) => ({ name, type }))]

let last = 0
/** A table that is there already, as the destination of a pipe. */
async function tableWith(defaults: boolean, used: readonly Kind[] = kinds) {
  const table = `own${++last}`
  const database = databaseOf(pipes.stack.identity.serviceId, 'default')
  const own = used.map(({ name, type, DEFAULT: [sql] }) => `${name} ${type}${defaults ? ` DEFAULT ${sql}` : ''}`)
  await pipes.engine.command(`CREATE DATABASE IF NOT EXISTS ${database}`)
  await pipes.engine.command(
    `CREATE TABLE ${database}.${table} (id UInt64, ${own.join(', ')}) ENGINE = MergeTree ORDER BY id`,
  )
  const names = new Set(['id', ...used.map(({ name }) => name)])
  const destination = {
    database: 'default',
    table,
    managedTable: false,
    columns: columns.filter(({ name }) => names.has(name)),
  }
  // Without an engine: the table has one.
  return { destination: { ...destination, tableDefinition: undefined }, fieldMappings: undefined }
}

/** Loads a file, and returns the texts of its rows. */
async function loaded(name: string, content: string, format: string, into: object, state: string) {
  await writeFile(join(pipes.files, name), content)
  const pipe = await pipes.pipe({ url: name, format }, into)
  await eventually(pipe.get).toMatchObject({ state: 'Completed', stateDetail: `1 file loaded${state}` })
  const rows = await pipes.engine.query<Record<string, string>>(
    `SELECT id, ${kinds.map(({ name: one }) => `toString(${one}) AS ${one}`).join(', ')} FROM ${pipe.table} ORDER BY id`,
  )
  return { pipe, rows }
}

const jsonOf = (id: number, valueOf: (kind: Kind) => string) =>
  `{"id":${id},${kinds.map((kind) => `"${kind.name}":${valueOf(kind)}`).join(',')}}`
/** Rows with fields that are missing, null, and values. */
const lines = ['{"id":1}', jsonOf(2, () => 'null'), jsonOf(3, ({ value }) => value)]
const bad = '{"id":4,"number":"many"}'
const shown = (id: number, defaults: boolean) => ({
  id: String(id),
  ...Object.fromEntries(kinds.map(({ name, DEFAULT, typeDefault }) => [name, defaults ? DEFAULT[1] : typeDefault])),
})

test.each([
  { defaults: true, nullsInWhole: '', nullsInRows: '' },
  {
    defaults: false,
    nullsInWhole:
      '. 7 null values became the default of their columns: color 1, day 1, kind 1, number 1, price 1, 2 more fields',
    // The engine does not tell nulls of arrays, maps, tuples and JSON from empty ones.
    nullsInRows:
      '. 12 null values became the default of their columns: color 1, colors 1, day 1, kind 1, list 1, 7 more fields',
  },
])('JSON, columns with a DEFAULT: $defaults', async ({ defaults, nullsInWhole, nullsInRows }) => {
  const whole = await loaded(
    `whole-${defaults}.jsonl`,
    lines.join('\n'),
    'JSONEachRow',
    await tableWith(defaults),
    nullsInWhole,
  )
  expect(whole.rows.slice(0, 2)).toEqual([shown(1, defaults), shown(2, defaults)])
  const single = [...lines, bad].join('\n')
  const state = `. 1 bad record, see their table${nullsInRows}`
  const rows = await loaded(`rows-${defaults}.jsonl`, single, 'JSONEachRow', await tableWith(defaults), state)
  expect(rows.rows).toEqual(whole.rows)
})

const nested = '{"id":1,"list":[1,null],"colors":[null],"sizes":{"a":null,"b":2},"pair":{"a":null,"b":"2021-02-03"}}'

test('nulls within arrays and the like of JSON are stored alike, and are readable', async () => {
  const stored = { list: '[1,0]', colors: "['red']", sizes: "{'a':0,'b':2}", pair: "(0,'2021-02-03')" }
  const whole = await loaded(
    'nested.jsonl',
    nested,
    'JSONEachRow',
    await tableWith(false),
    nullsWithin(['colors[] 1', 'list[] 1', 'sizes.* 1']),
  )
  expect(whole.rows).toMatchObject([stored])
  const state = `. 1 bad record, see their table${nullsWithin(['colors[] 1', 'list[] 1', 'pair.a 1', 'sizes.* 1'])}`
  const rows = await loaded('nested-rows.jsonl', `${nested}\n${bad}`, 'JSONEachRow', await tableWith(false), state)
  expect(rows.rows).toEqual(whole.rows)
})

function nullsWithin(fields: readonly string[]): string {
  return `. ${fields.length} null values became the default of their columns: ${fields.join(', ')}`
}

test('by the setting of a pipe, nulls of arrays and the like are bad rows, and missing parts are not', async () => {
  const content = [
    nested,
    '{"id":2,"list":null}',
    '{"id":3,"sizes":null}',
    '{"id":4,"pair":null}',
    '{"id":5,"object":null}',
    '{"id":6,"pair":{}}',
    '{"id":7}',
  ]
  const into = { ...(await tableWith(false)), settings: { reject_null_values: true } }
  const { pipe, rows } = await loaded(
    'strict.jsonl',
    content.join('\n'),
    'JSONEachRow',
    into,
    '. 5 bad records, see their table',
  )
  expect(rows.map(({ id }) => id)).toEqual(['6', '7'])
  const whole = 'null, and its column is neither Nullable nor has a DEFAULT that needs no other column'
  expect(
    await pipes.engine.query(`SELECT DISTINCT offset, reason FROM ${pipe.table}_datapipes_error ORDER BY offset`),
  ).toEqual([
    { offset: '0', reason: 'list[]: null, and its type within the column is not Nullable' },
    { offset: '1', reason: `list: ${whole}` },
    { offset: '2', reason: `sizes: ${whole}` },
    { offset: '3', reason: `pair: ${whole}` },
    { offset: '4', reason: `object: ${whole}` },
  ])
  // Nulls of columns with a DEFAULT are none.
  const withDefaults = { ...(await tableWith(true)), settings: { reject_null_values: true } }
  const fine = await loaded('defaults.jsonl', lines.join('\n'), 'JSONEachRow', withDefaults, '')
  expect(fine.rows.slice(0, 2)).toEqual([shown(1, true), shown(2, true)])
})

test.each(['CSVWithNames', 'TabSeparatedWithNames'])('empty cells: %s', async (format) => {
  const separator = format.startsWith('CSV') ? ',' : '\t'
  const used = kinds.filter(({ type }) => !/^(?:Array|Map|Tuple|JSON)/.test(type))
  const content = [
    ['id', ...used.map(({ name }) => name)],
    ['1', ...used.map(() => '')],
    ['2', ...used.map(() => '\\N')],
  ]
    .map((cells) => cells.join(separator))
    .join('\n')
  const query = async (name: string, text: string) => {
    await writeFile(join(pipes.files, name), text)
    const pipe = await pipes.pipe({ url: name, format }, await tableWith(true, used))
    await eventually(pipe.get).toMatchObject({ state: 'Completed' })
    return pipes.engine.query<Record<string, string>>(
      `SELECT id, ${used.map(({ name: one }) => `toString(${one}) AS ${one}`).join(', ')} FROM ${pipe.table} ORDER BY id`,
    )
  }
  const whole = await query(`empty.${format}`, content)
  const rows = await query(
    `empty-rows.${format}`,
    `${content}\n3${separator}many${separator.repeat(used.length - 1)}\n`,
  )
  const defaults = Object.fromEntries(used.map(({ name, DEFAULT }) => [name, DEFAULT[1]]))
  // An empty text of TSV is a text.
  const ofEmpty = format.startsWith('CSV') ? defaults : { ...defaults, text: '', kind: '' }
  expect(whole).toEqual([
    { id: '1', ...ofEmpty },
    { id: '2', ...defaults },
  ])
  expect(rows).toEqual(whole)
})

test.each(['Parquet', 'Avro'])(
  'fields that a file does not have, and nulls within its arrays and maps: %s',
  async (format) => {
    const file = join(pipes.files, `missing.${format}`)
    await pipes.engine.command(`INSERT INTO FUNCTION file('${file}', '${format}')
    SELECT toInt64(number + 1) AS id, [if(number = 0, NULL, toInt32(1))] AS list, map('a', if(number = 0, NULL, toInt32(1))) AS sizes FROM numbers(2)`)
    const used = kinds.filter(({ name }) => ['number', 'text', 'list', 'sizes', 'pair'].includes(name))
    const load = async (defaults: boolean, settings: object) => {
      const pipe = await pipes.pipe(
        { url: `missing.${format}`, format },
        { ...(await tableWith(defaults, used)), settings },
      )
      return {
        pipe,
        query: () =>
          pipes.engine.query(
            `SELECT id, number, text, list, sizes, toString(pair) AS pair FROM ${pipe.table} ORDER BY id`,
          ),
      }
    }
    const plain = await load(true, {})
    await eventually(plain.pipe.get).toMatchObject({
      state: 'Completed',
      stateDetail: `1 file loaded${nullsWithin(['list[] 1', 'sizes.* 1'])}`,
    })
    const missing = { number: 7, text: 'd', pair: "(7,'2020-01-01')" }
    expect(await plain.query()).toEqual([
      { id: '1', list: [0], sizes: { a: 0 }, ...missing },
      { id: '2', list: [1], sizes: { a: 1 }, ...missing },
    ])
    const strict = await load(false, { reject_null_values: true })
    await eventually(strict.pipe.get).toMatchObject({
      state: 'Failed',
      stateDetail: expect.stringContaining('list[]: null, and its type within the column is not Nullable'),
    })
  },
)
