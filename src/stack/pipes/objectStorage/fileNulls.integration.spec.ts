/** Nulls and missing fields in files, for columns that have no null. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typedColumns } from '../../testing/records/typedValues.ts'
import { intoEvents } from '../../testing/managedClient.ts'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'

let pipes: PipeFiles
beforeAll(async () => {
  pipes = await startPipeFiles()
})
afterAll(() => pipes.close())

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 50 })
const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'price', type: 'UInt8' },
  { name: 'day', type: 'Date' },
  { name: 'at', type: 'DateTime' },
  { name: 'text', type: 'String' },
  { name: 'kind', type: 'LowCardinality(String)' },
  { name: 'note', type: 'Nullable(String)' },
]
const into = { ...intoEvents(columns), fieldMappings: undefined }
/** The stored rows: fields that are null, fields that are missing, and fields with values. */
const stored = [
  { id: '1', price: 0, day: '1970-01-01', at: '1970-01-01 00:00:00', text: '', kind: '', note: null },
  { id: '2', price: 0, day: '1970-01-01', at: '1970-01-01 00:00:00', text: '', kind: '', note: null },
  { id: '3', price: 7, day: '2026-01-02', at: '2026-01-02 03:04:05', text: 'x', kind: 'k', note: 'n' },
]
const nulls = '5 null values became the default of their columns: at 1, day 1, kind 1, price 1, text 1'
const value = '{"id":3,"price":7,"day":"2026-01-02","at":"2026-01-02 03:04:05","text":"x","kind":"k","note":"n"}'
const contents = {
  JSONEachRow: `{"id":1,"price":null,"day":null,"at":null,"text":null,"kind":null,"note":null}\n{"id":2}\n${value}\n`,
  CSVWithNames: `id,price,day,at,text,kind,note\n1,\\N,\\N,\\N,\\N,\\N,\\N\n2,,,,,,\\N\n3,7,2026-01-02,2026-01-02 03:04:05,x,k,n\n`,
  TabSeparatedWithNames: `id\tprice\tday\tat\ttext\tkind\tnote\n1${'\t\\N'.repeat(6)}\n2${'\t'.repeat(5)}\t\\N\n3\t7\t2026-01-02\t2026-01-02 03:04:05\tx\tk\tn\n`,
}
type Format = keyof typeof contents
const formats: Format[] = ['JSONEachRow', 'CSVWithNames', 'TabSeparatedWithNames']

test.each(formats)('nulls are counted, missing fields are not: %s', async (format) => {
  await writeFile(join(pipes.files, `nulls.${format}`), contents[format])
  const loaded = await pipes.pipe({ url: `nulls.${format}`, format }, into)
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: `1 file loaded. ${nulls}` })
  expect(await pipes.engine.query(`SELECT * FROM ${loaded.table} ORDER BY id`)).toEqual(stored)
})

test.each(formats)('a setting of the pipe makes a row with a null a bad one: %s', async (format) => {
  await writeFile(join(pipes.files, `bad.${format}`), contents[format])
  const loaded = await pipes.pipe({ url: `bad.${format}`, format }, { ...into, settings: { reject_null_values: true } })
  await eventually(loaded.get).toMatchObject({
    state: 'Completed',
    stateDetail: '1 file loaded. 1 bad record, see their table',
  })
  expect(await pipes.engine.query(`SELECT * FROM ${loaded.table} ORDER BY id`)).toEqual(stored.slice(1))
  expect(await pipes.engine.query(`SELECT reason FROM ${loaded.table}_datapipes_error`)).toEqual([
    { reason: 'price: null, and its column is neither Nullable nor has a DEFAULT that needs no other column' },
  ])
})

test('nulls of a Parquet file are counted, and make it a bad file by the setting', async () => {
  await pipes.engine.command(`INSERT INTO FUNCTION file('${pipes.files}/nulls.parquet', 'Parquet')
    SELECT number + 1 AS id, if(number < 2, NULL, 7) AS price, 'k' AS kind FROM numbers(3)`)
  const loaded = await pipes.pipe({ url: 'nulls.parquet', format: 'Parquet' }, into)
  await eventually(loaded.get).toMatchObject({
    state: 'Completed',
    stateDetail: '1 file loaded. 2 null values became the default of its column: price 2',
  })
  expect(await pipes.rowsOf(loaded, 'sum(price) AS prices, any(kind) AS kind, sum(length(text)) AS texts')).toEqual([
    { prices: '7', kind: 'k', texts: '0' },
  ])
  const strict = await pipes.pipe(
    { url: 'nulls.parquet', format: 'Parquet' },
    { ...into, settings: { reject_null_values: true } },
  )
  await eventually(strict.get).toMatchObject({
    state: 'Failed',
    stateDetail: expect.stringContaining(
      'nulls.parquet: price: null, and its column is neither Nullable nor has a DEFAULT that needs no other column',
    ),
  })
  expect(await pipes.rowsOf(strict, 'count() AS rows')).toEqual([{ rows: '0' }])
})

test('missing fields of every kind of column have the default of their type, in one load', async () => {
  const all = [{ name: 'id', type: 'UInt64' }, ...typedColumns.map(({ name, type }) => ({ name, type }))]
  await writeFile(join(pipes.files, 'missing.jsonl'), '{"id":1}\n{"id":2}\n')
  const { made, ...loaded } = await pipes.pipe(
    { url: 'missing.jsonl' },
    { ...intoEvents(all), fieldMappings: undefined },
  )
  expect(made.status).toBe(200)
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '1 file loaded' })
  const [row] = await pipes.rowsOf(
    { made, ...loaded },
    'count() AS rows, uniqExact(_pipe_load) AS loads, min(i8) AS i8',
  )
  expect(row).toEqual({ rows: '2', loads: '1', i8: 0 })
})
