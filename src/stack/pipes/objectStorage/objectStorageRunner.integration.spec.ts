/** Object storage pipes over real files, in every format. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseExposition } from '#domain/exposition.ts'
import { pipeInputs, type ManagedClient } from '../../testing/managedClient.ts'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'
import type { TestStack } from '../../testing/testStack.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'

let engine: Engine
let stack: TestStack
let control: ManagedClient
let files: string
let pipe: PipeFiles['pipe']
let rowsOf: PipeFiles['rowsOf']
let close: PipeFiles['close']
beforeAll(async () => {
  ;({ engine, stack, control, files, pipe, rowsOf, close } = await startPipeFiles())
})
afterAll(() => close())

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 50 })
const generated = "SELECT number AS id, concat('text \"', toString(number), '\"\\n,;') AS text FROM numbers(1000)"
const thousand = [{ rows: '1000', ids: '499500', texts: '1000' }]

test('writes fields to columns of the same name without mappings', async () => {
  await writeFile(join(files, 'named.jsonl'), '{"text":"a","id":7,"more":1}\n')
  const loaded = await pipe({ url: 'named.jsonl' }, { fieldMappings: undefined })
  await eventually(async () => (await loaded.get()).state).toBe('Completed')
  expect(await rowsOf(loaded, 'id, text')).toEqual([{ id: '7', text: 'a' }])
})

test('skips files up to the one to start after', async () => {
  await mkdir(join(files, 'after'))
  for (const id of [1, 2, 3]) await writeFile(join(files, 'after', `${id}.jsonl`), `{"id":${id},"text":"${id}"}\n`)
  const loaded = await pipe({ url: 'after/*.jsonl', startAfter: 'after/1.jsonl' })
  await eventually(async () => (await loaded.get()).state).toBe('Completed')
  expect(await rowsOf(loaded, 'id')).toEqual([{ id: '2' }, { id: '3' }])
  expect((await loaded.get()).stateDetail).toBe('2 files loaded')
})

describe('formats', () => {
  test.each([
    ['JSONEachRow', 'jsonl', 'auto'],
    ['JSONEachRow', 'jsonl.gz', 'auto'],
    ['JSONEachRow', 'jsonl.zst', 'auto'],
    ['CSVWithNames', 'csv', 'auto'],
    ['CSVWithNames', 'csv.br', 'auto'],
    ['TabSeparatedWithNames', 'tsv', 'none'],
    ['Parquet', 'parquet', 'auto'],
    ['Avro', 'avro', 'auto'],
  ])('%s in .%s', async (format, ending, compression) => {
    await engine.command(`INSERT INTO FUNCTION file('${files}/all.${ending}', '${format}') ${generated}`)
    const loaded = await pipe({ url: `all.${ending}`, format, compression })
    expect(loaded.made.json).toMatchObject({ status: 200, result: { state: 'Provisioning' } })
    await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '1 file loaded' })
    expect(await rowsOf(loaded)).toEqual(thousand)
  })

  test.each([
    ['CSV', 'plain.csv', ','],
    ['TabSeparated', 'plain.tsv', '\t'],
    ['CSV', 'semicolons.csv', ';'],
  ])('%s without names, by position: %s', async (format, name, delimiter) => {
    await writeFile(
      join(files, name),
      ['skipped', 'a', '1'].join(delimiter) + '\n' + ['skipped', 'b', '2'].join(delimiter) + '\n',
    )
    const loaded = await pipe(
      { url: name, format, ...(delimiter === ';' && { delimiter }) },
      {
        fieldMappings: [
          { sourceField: 'c3', destinationField: 'id' },
          { sourceField: 'c2', destinationField: 'text' },
        ],
      },
    )
    await eventually(loaded.get).toMatchObject({ state: 'Completed' })
    expect(await rowsOf(loaded, 'groupArray((id, text)) AS rows')).toEqual([
      {
        rows: [
          ['1', 'a'],
          ['2', 'b'],
        ],
      },
    ])
  })

  test('fields are mapped by name, others omitted', async () => {
    await writeFile(join(files, 'mapped.jsonl'), '{"number":7,"a `b\\\\":"x","more":[1]}\n')
    const loaded = await pipe(
      { url: 'mapped.jsonl' },
      {
        fieldMappings: [
          { sourceField: 'number', destinationField: 'id' },
          { sourceField: 'a `b\\', destinationField: 'text' },
        ],
      },
    )
    await eventually(loaded.get).toMatchObject({ state: 'Completed' })
    expect(await rowsOf(loaded, '*')).toEqual([{ id: '7', text: 'x' }])
  })
})

describe('destination tables', () => {
  test.each([
    ['String, extra Int8'],
    ["String DEFAULT 'x'"],
    ['String) ENGINE = Memory --'],
    ['NoSuchType'],
    ["Enum8('a' = 1"],
    ["String COMMENT 'x'"],
    ['String TTL now() + INTERVAL 1 DAY'],
    ['String CODEC(ZSTD)'],
    ['String EPHEMERAL'],
    ["String MATERIALIZED file('/etc/passwd')"],
    ['String ALIAS sleep(1)'],
    ['String NOT NULL'],
    ['String PRIMARY KEY'],
    ['String SETTINGS (max_compress_block_size = 1)'],
    ['String -- x'],
    ['String /* x */'],
    ['String;'],
    ['String\0'],
  ])('%s is not a column type', async (type) => {
    const columns = [
      { name: 'id', type: 'UInt64' },
      { name: 'text', type },
    ]
    const { made } = await pipe(
      { url: '*.none' },
      { destination: { ...pipeInputs.objectStorage.destination, columns } },
    )
    expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining('is not a column type') } })
  })

  test.each([
    'id) SETTINGS x = 1',
    'id; DROP TABLE x',
    '(SELECT 1)',
    'id -- x',
    'id /* x */',
    "'unclosed",
    'f(id',
    'sleep(3)',
    'id + sleepEachRow(1)',
    'now()',
    'arrayJoin([id])',
    'nope',
    "file('/etc/passwd')",
    "dictGet('a', 'b', id)",
    'count()',
  ])('%s is not a partition key', async (partitionBy) => {
    const { destination } = pipeInputs.objectStorage
    const tableDefinition = { engine: { type: 'MergeTree' as const }, sortingKey: ['id'], partitionBy }
    const { made } = await pipe({ url: '*.none' }, { destination: { ...destination, tableDefinition } })
    expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining('partitionBy') } })
  })

  test.each(['MergeTree', 'ReplacingMergeTree', 'SummingMergeTree'] as const)(
    '%s with keys and a partition',
    async (type) => {
      await writeFile(join(files, `${type}.jsonl`), '{"id":1,"text":"a"}\n{"id":2,"text":"b"}\n')
      const loaded = await pipe(
        { url: `${type}.jsonl` },
        {
          destination: {
            ...pipeInputs.objectStorage.destination,
            tableDefinition: {
              engine: { type, ...(type === 'ReplacingMergeTree' && { versionColumnId: 'id' }) },
              sortingKey: ['id', 'text'],
              primaryKey: 'id',
              partitionBy: 'intDiv(id, 10), length(text)',
            },
          },
        },
      )
      await eventually(loaded.get).toMatchObject({ state: 'Completed' })
      expect(await rowsOf(loaded)).toEqual([{ rows: '2', ids: '3', texts: '2' }])
    },
  )

  test('an existing table is loaded if its engine allows it', async () => {
    await writeFile(join(files, 'own.jsonl'), '{"id":1,"text":"a"}\n')
    const database = databaseOf(stack.identity.serviceId, 'own')
    await engine.command(`CREATE DATABASE ${database}`)
    await engine.command(`CREATE TABLE ${database}.kept (id UInt64, text String) ENGINE = MergeTree ORDER BY id`)
    await engine.command(
      `CREATE TABLE ${database}.summed (id UInt64, text String) ENGINE = AggregatingMergeTree ORDER BY id`,
    )
    const into = async (table: string) => {
      const { tableDefinition: _none, ...destination } = pipeInputs.objectStorage.destination
      return control.call('POST', '/datapipes', {
        ...pipeInputs.objectStorage,
        source: { objectStorage: { format: 'JSONEachRow', url: 'own.jsonl' } },
        destination: { ...destination, database: 'own', table, managedTable: false },
      })
    }
    const { json } = await into('kept')
    await eventually(async () => (await control.call('GET', `/datapipes/${json.result.id}`)).json.result.state).toBe(
      'Completed',
    )
    expect(await engine.query(`SELECT * FROM ${database}.kept`)).toEqual([{ id: '1', text: 'a' }])
    expect(await into('summed')).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('cannot be loaded exactly once') },
    })
    expect(await into('missing')).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('does not exist') },
    })
  })
})

test('an unreadable file does not affect others, and is read when the pipe is started again', async () => {
  await mkdir(join(files, 'mixed'))
  for (const part of [1, 2, 3, 4, 5])
    await writeFile(join(files, 'mixed', `${part}.jsonl`), `{"id":${part},"text":"t"}\n`)
  await writeFile(join(files, 'mixed', '3.jsonl'), 'no text of rows\n')
  const loaded = await pipe({ url: 'mixed/*.jsonl' })
  await eventually(loaded.get).toMatchObject({
    state: 'Failed',
    stateDetail: expect.stringMatching(/^1 of 5 files could not be read. 3.jsonl: /),
  })
  expect(await rowsOf(loaded)).toEqual([{ rows: '4', ids: '12', texts: '1' }])
  await writeFile(join(files, 'mixed', '3.jsonl'), '{"id":3,"text":"t"}\n')
  await control.call('PATCH', `/datapipes/${loaded.id}/state`, { command: 'start' })
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '5 files loaded' })
  expect(await rowsOf(loaded)).toEqual([{ rows: '5', ids: '15', texts: '1' }])
})

/** Rows from 1 to 1000 as lines. */
const lines = (line: (id: number) => string) => Array.from({ length: 1000 }, (_, at) => `${line(at + 1)}\n`).join('')
const jsonLine = (id: number) => `{"id":${id},"text":"row ${id}"}`
const csvLine = (id: number) => `${id},"row ""${id}""\nof two lines"`

test.each([
  ['a value out of range', 'JSONEachRow', 'range.jsonl', Buffer.from(lines((id) => jsonLine(id === 7 ? 2 ** 70 : id)))],
  [
    'a line that is cut off',
    'JSONEachRow',
    'cut.jsonl',
    Buffer.from(lines((id) => jsonLine(id).slice(0, id === 7 ? 9 : 99))),
  ],
  ['a value out of range', 'CSV', 'range.csv', Buffer.from(lines((id) => csvLine(id).replace(/^7,/, '-7,')))],
  [
    'a value that is no number',
    'CSVWithNames',
    'names.csv',
    Buffer.from(`id,text\n${lines((id) => csvLine(id).replace(/^7,/, 'seven,'))}`),
  ],
  [
    'a value out of range',
    'TabSeparated',
    'range.tsv',
    Buffer.from(lines((id) => `${id === 7 ? '99999999999999999999' : id}\tx`)),
  ],
  [
    'a bad value and another compression',
    'JSONEachRow',
    'other.jsonl.zst',
    gzipSync(lines((id) => jsonLine(id === 7 ? -7 : id))),
  ],
])('%s costs its row: %s, %s', { timeout: 60_000 }, async (_, format, name, content) => {
  await writeFile(join(files, name), content)
  const byPosition = format === 'CSV' || format === 'TabSeparated'
  const loaded = await pipe(
    { url: name, format },
    byPosition
      ? {
          fieldMappings: [
            { sourceField: 'c1', destinationField: 'id' },
            { sourceField: 'c2', destinationField: 'text' },
          ],
        }
      : {},
  )
  await eventually(loaded.get).toMatchObject({
    state: 'Completed',
    stateDetail: '1 file loaded. 1 bad record, see their table',
  })
  expect(await rowsOf(loaded, 'count() AS rows, sum(id) AS ids')).toEqual([{ rows: '999', ids: String(500_500 - 7) }])
})

test.each([
  ['plain text that is called gzip', 'plain.jsonl.gz', Buffer.from(lines(jsonLine))],
  ['gzip without its ending', 'packed.jsonl', gzipSync(lines(jsonLine))],
])('%s is read as what it is', async (_, name, content) => {
  await writeFile(join(files, name), content)
  const loaded = await pipe({ url: name })
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '1 file loaded' })
  expect(await rowsOf(loaded)).toEqual([{ rows: '1000', ids: '500500', texts: '1000' }])
})

test('of a file that ends too early, the rows before its end are loaded', { timeout: 60_000 }, async () => {
  const many = Array.from({ length: 200_000 }, (_, id) => `{"id":${id},"text":"${Math.sin(id)}"}\n`).join('')
  const packed = gzipSync(many)
  await writeFile(join(files, 'early.jsonl.gz'), packed.subarray(0, packed.length / 2))
  const loaded = await pipe({ url: 'early.jsonl.gz' })
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: expect.stringContaining('bad record') })
  // They are the first ones, and as many as half of the file has.
  expect(await rowsOf(loaded, 'count() = max(id) + 1 AS areFirst, count() > 80000 AS areMany')).toEqual([
    { areFirst: 1, areMany: 1 },
  ])
})

test('a continuous pipe loads each new file once, and its counters match the table', async () => {
  await mkdir(join(files, 'live'))
  const put = async (name: string, ids: number[]) => {
    const part = join(files, `${name}.part`)
    await writeFile(part, gzipSync(ids.map((id) => `{"id":${id},"text":"t"}\n`).join('')))
    await rename(part, join(files, 'live', name))
  }
  await put('1.jsonl.gz', [1, 2])
  const loaded = await pipe(
    { url: 'live/*.jsonl.gz', isContinuous: true },
    { settings: { object_storage_polling_interval_ms: 100 } },
  )
  await eventually(() => rowsOf(loaded).catch(() => [])).toMatchObject([{ rows: '2' }])
  await eventually(loaded.get).toMatchObject({
    state: 'Running',
    stateDetail: 'all files loaded, waiting for new ones',
  })
  await put('2.jsonl.gz', [3])
  await eventually(() => rowsOf(loaded)).toEqual([{ rows: '3', ids: '6', texts: '1' }])
  await eventually(async () => {
    const { text } = await control.call('GET', '/prometheus?filtered_metrics=true')
    return parseExposition(text)
      .filter((sample) => sample.labels['clickpipe_id'] === loaded.id && sample.name.includes('SentEvents'))
      .map((sample) => sample.value)
  }).toEqual([3])
  await control.call('DELETE', `/datapipes/${loaded.id}`)
  await put('3.jsonl.gz', [4])
  expect(await rowsOf(loaded)).toEqual([{ rows: '3', ids: '6', texts: '1' }])
})

test('measures the engine usage of a load and compares it to its limit', { timeout: 60_000 }, async () => {
  await engine.command(`INSERT INTO FUNCTION file('${files}/large.jsonl', 'JSONEachRow')
    SELECT number AS id, hex(cityHash64(number)) AS text FROM numbers(3000000)`)
  const loaded = await pipe({ url: 'large.jsonl' }, { scaling: { concurrency: 1 } })
  const metrics = async () => {
    const { text } = await control.call('GET', '/prometheus?filtered_metrics=true')
    const mine = parseExposition(text).filter((sample) => sample.labels['clickpipe_id'] === loaded.id)
    return Object.fromEntries(mine.map(({ name, value }) => [name, value]))
  }
  // One answer has all figures: at the next one the load may have ended.
  let during: Record<string, number> = {}
  await eventually(async () => {
    during = await metrics()
    return (during['ClickPipes_Replica_CPUUsage'] ?? 0) > 0 && (during['ClickPipes_Replica_MemoryUsage'] ?? 0) > 1e6
  }).toBe(true)
  expect(during['ClickPipes_Replica_MemoryUsage']).toBeLessThan(during['ClickPipes_Replica_MemoryLimit'] ?? 0)
  expect(during['ClickPipes_Replica_CPULimit']).toBe(1000)
  await eventually(loaded.get).toMatchObject({ state: 'Completed' })
  expect((await metrics())['ClickPipes_Latency']).toBeGreaterThan(100)
})
