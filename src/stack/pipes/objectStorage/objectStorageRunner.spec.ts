/** Object storage pipes over real files, in every format and from every type of source URL. */
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PipeCreate } from '#contract/pipeInputs.ts'
import { parseExposition } from '#contract/exposition.ts'
import { managedClientOf, pipeInputs, type ManagedClient } from '../../testing/managedClient.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'
import { openEngine, type Engine } from '../../telemetry/engine/engine.ts'
import { databaseOf } from '../loads/destinationTable.ts'

let engine: Engine
let stack: TestStack
let control: ManagedClient
let folder: string
let files: string
let web: Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipes-'))
  files = join(folder, 'files')
  await mkdir(files)
  engine = await openEngine({ dataDir: folder })
  stack = await startTestStack({ engine, cloud: { fileRoots: [files] } })
  control = managedClientOf(stack)
  web = createServer(serveFiles).listen(0, '127.0.0.1')
})
afterAll(async () => {
  await stack.close()
  await engine.close()
  web.close()
  await rm(folder, { recursive: true, force: true })
})

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000, interval: 50 })
const webUrl = () => `http://127.0.0.1:${(web.address() as AddressInfo).port}`

let last = 0
/** A pipe into a separate table. */
async function pipe(source: object, more: Partial<PipeCreate> = {}) {
  const table = `t${++last}`
  const input = {
    ...pipeInputs.objectStorage,
    ...more,
    source: { objectStorage: { format: 'JSONEachRow', ...source } },
    destination: { ...pipeInputs.objectStorage.destination, ...more.destination, table },
  }
  const made = await control.call('POST', '/datapipes', input)
  const id = made.json.result?.id
  return {
    made,
    id,
    table: `${databaseOf(stack.identity.serviceId, 'default')}.${table}`,
    get: async () => (await control.call('GET', `/datapipes/${id}`)).json.result,
  }
}
type Loaded = Awaited<ReturnType<typeof pipe>>

const rowsOf = (loaded: Loaded, what = 'count() AS rows, sum(id) AS ids, uniqExact(text) AS texts') =>
  engine.query(`SELECT ${what} FROM ${loaded.table}`)

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

describe('source URLs', () => {
  test('addresses with braces', async () => {
    for (const part of [1, 2, 4])
      await writeFile(join(files, `web-${part}.jsonl`), `{"id":${part},"text":"t${part}"}\n`)
    const loaded = await pipe({ type: 'http', url: `${webUrl()}/web-{1..5}.jsonl` })
    await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '3 files loaded' })
    expect(await rowsOf(loaded)).toEqual([{ rows: '3', ids: '7', texts: '3' }])
  })

  test('files behind braces whose size is not told', async () => {
    for (const part of [1, 3])
      await writeFile(join(files, `unsized-${part}.jsonl`), `{"id":${part},"text":"t${part}"}\n`)
    const loaded = await pipe({ type: 'http', url: `${webUrl()}/unsized-{1..4}.jsonl` })
    await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '2 files loaded' })
    expect(await rowsOf(loaded)).toEqual([{ rows: '2', ids: '4', texts: '2' }])
  })

  test('a file behind braces that cannot be reached is not taken for a missing one', async () => {
    for (const part of [1, 2]) await writeFile(join(files, `later-${part}.jsonl`), `{"id":${part},"text":"t${part}"}\n`)
    const loaded = await pipe({ type: 'http', url: `${webUrl()}/later-{1..3}.jsonl` })
    failing.add('/later-2.jsonl')
    await eventually(loaded.get).toMatchObject({ state: 'Degraded', stateDetail: expect.stringContaining('503') })
    expect(await rowsOf(loaded)).toEqual([{ rows: '1', ids: '1', texts: '1' }])
    failing.clear()
    await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '2 files loaded' })
    expect(await rowsOf(loaded)).toEqual([{ rows: '2', ids: '3', texts: '2' }])
  })

  test('a bucket with wildcards', async () => {
    await mkdir(join(files, 'bucket', 'in'), { recursive: true })
    for (const part of [1, 2])
      await writeFile(join(files, 'bucket', 'in', `s3-${part}.jsonl`), `{"id":${part},"text":"t"}\n`)
    const loaded = await pipe({ type: 's3', url: `${webUrl()}/bucket/in/*.jsonl` })
    await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '2 files loaded' })
    expect(await rowsOf(loaded)).toEqual([{ rows: '2', ids: '3', texts: '1' }])
  })

  test.each([
    ['a parent folder', '../stack.db', 'the path may not contain ".."'],
    ['another folder', '/etc/pass*', 'only files below PIPE_FILES_ROOT'],
    ['another folder by its address', 'file:///etc/passwd', 'only files below PIPE_FILES_ROOT'],
    ['a folder that is not there', 'nowhere/*.jsonl', 'does not exist'],
    ['another scheme', 'hdfs://host/x', 'only http, https and file addresses'],
    ['a private host', 'http://10.0.0.1/x.jsonl', '10.0.0.1 is a private or reserved address'],
    ['an address where nothing listens', 'http://127.0.0.1:1/x.jsonl', 'failed to access'],
    ['addresses with braces where nothing listens', 'http://127.0.0.1:1/{1..9}.jsonl', 'failed to access'],
  ])('rejects %s', async (_, url, words) => {
    const { made } = await pipe({ url })
    expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining(words) } })
  })

  test.each([
    ['a role', { authentication: 'IAM_ROLE', iamRole: 'arn:role' }, 'authentication: this stack cannot assume a role'],
    [
      'a queue',
      {
        authentication: 'IAM_USER',
        accessKey: { accessKeyId: 'a', secretKey: 'b' },
        queueUrl: 'https://queue.example',
      },
      'queueUrl: this stack does not read queues',
    ],
    ['a role without a name', { authentication: 'IAM_ROLE' }, 'iamRole: IAM_ROLE needs an iamRole'],
    ['a queue of public files', { queueUrl: 'https://queue.example' }, 'queueUrl: a queue is not for public objects'],
  ])('rejects %s at its field', async (_, fields, words) => {
    const { made } = await pipe({ type: 's3', url: 'https://bucket.example/*.jsonl', isContinuous: true, ...fields })
    expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining(words) } })
  })

  test.each(['http', 's3'])('does not follow a redirect: %s', async (type) => {
    await writeFile(join(files, 'elsewhere.jsonl'), '{"id":1,"text":"secret"}\n')
    const { made } = await pipe({ type, url: `${webUrl()}/away/elsewhere.jsonl` })
    expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining('failed to access') } })
  })

  test('does not follow a symbolic link out of the folder', async () => {
    await writeFile(join(folder, 'outside.jsonl'), '{"id":1,"text":"secret"}\n')
    await mkdir(join(files, 'links'))
    await symlink(join(folder, 'outside.jsonl'), join(files, 'links', 'inside.jsonl'))
    await symlink(folder, join(files, 'up'))
    const loaded = await pipe({ url: 'links/*.jsonl' })
    await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '0 files loaded' })
    expect((await pipe({ url: 'up/*.jsonl' })).made.json.error).toContain('only files below PIPE_FILES_ROOT')
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
  await writeFile(join(files, 'mixed', '3.jsonl'), '{"id":3,"text":"t"}\n{"id":"no number"}\n')
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

/** Files over HTTP, and as much of S3 as lists a bucket. */
/** Paths that the web server does not serve for a while. */
const failing = new Set<string>()

async function serveFiles(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://host')
  if (failing.has(url.pathname)) return response.writeHead(503).end()
  if (url.pathname.startsWith('/unsized-') && request.method === 'HEAD') return response.writeHead(405).end()
  if (url.pathname.startsWith('/away/'))
    return response.writeHead(307, { location: url.pathname.replace('/away', webUrl()) }).end()
  const prefix = url.searchParams.get('prefix')
  if (prefix !== null) {
    const names = (await readdir(join(files, url.pathname, prefix))).toSorted()
    const contents = await Promise.all(
      names.map(async (name) => {
        const { size, mtime } = await stat(join(files, url.pathname, prefix, name))
        return `<Contents><Key>${prefix}${name}</Key><LastModified>${mtime.toISOString()}</LastModified><Size>${size}</Size></Contents>`
      }),
    )
    response.setHeader('content-type', 'application/xml')
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
    )
    return
  }
  const file = join(files, url.pathname)
  const found = await stat(file).catch(() => null)
  if (!found) return response.writeHead(404).end()
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const start = Number(range?.[1] ?? 0)
  const end = range?.[2] ? Math.min(Number(range[2]), found.size - 1) : found.size - 1
  response.writeHead(range ? 206 : 200, {
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    'last-modified': found.mtime.toUTCString(),
    ...(range && { 'content-range': `bytes ${start}-${end}/${found.size}` }),
  })
  if (request.method === 'HEAD') return response.end()
  return createReadStream(file, { start, end }).pipe(response)
}
