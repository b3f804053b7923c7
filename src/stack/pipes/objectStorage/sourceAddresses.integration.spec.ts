/** Object storage pipes over every type of source address: what is read, and what is refused. */
import { createReadStream } from 'node:fs'
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pipeInputs } from '../../testing/managedClient.ts'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'

let folder: string
let files: string
let pipe: PipeFiles['pipe']
let rowsOf: PipeFiles['rowsOf']
let close: PipeFiles['close']
let control: PipeFiles['control']
let web: Server
beforeAll(async () => {
  ;({ folder, files, pipe, rowsOf, close, control } = await startPipeFiles())
  web = createServer(serveFiles).listen(0, '127.0.0.1')
})
afterAll(async () => {
  await close()
  web.close()
})

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 50 })
const webUrl = () => `http://127.0.0.1:${(web.address() as AddressInfo).port}`

test('addresses with braces', async () => {
  for (const part of [1, 2, 4]) await writeFile(join(files, `web-${part}.jsonl`), `{"id":${part},"text":"t${part}"}\n`)
  const loaded = await pipe({ type: 'http', url: `${webUrl()}/web-{1..5}.jsonl` })
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '3 files loaded' })
  expect(await rowsOf(loaded)).toEqual([{ rows: '3', ids: '7', texts: '3' }])
})

test('files behind braces whose size is not told', async () => {
  for (const part of [1, 3]) await writeFile(join(files, `unsized-${part}.jsonl`), `{"id":${part},"text":"t${part}"}\n`)
  const loaded = await pipe({ type: 'http', url: `${webUrl()}/unsized-{1..4}.jsonl` })
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '2 files loaded' })
  expect(await rowsOf(loaded)).toEqual([{ rows: '2', ids: '4', texts: '2' }])
})

test('a file behind braces that cannot be reached is not taken for a missing one', async () => {
  for (const part of [1, 2]) await writeFile(join(files, `later-${part}.jsonl`), `{"id":${part},"text":"t${part}"}\n`)
  failing.add('/later-2.jsonl')
  const loaded = await pipe({ type: 'http', url: `${webUrl()}/later-{1..3}.jsonl` })
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
])('rejects %s', async (_, url, words) => {
  const { made } = await pipe({ url })
  expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining(words) } })
})

test.each([
  ['an address where nothing listens', { url: 'http://127.0.0.1:1/x.jsonl' }],
  ['addresses with braces where nothing listens', { url: 'http://127.0.0.1:1/{1..9}.jsonl' }],
  ['a bucket that does not answer', { type: 's3', url: 'http://127.0.0.1:1/bucket/x.jsonl' }],
  ['a bucket that does not answer, with its list', { type: 's3', url: 'http://127.0.0.1:1/bucket/*.jsonl' }],
])('accepts %s, and says in the state that it was not reached', async (_, source) => {
  const made = await pipe(source)
  expect(made.made.status).toBe(200)
  await eventually(made.get).toMatchObject({
    state: 'Degraded',
    stateDetail: expect.stringMatching(/127\.0\.0\.1:1\b.*ECONNREFUSED/),
  })
  await control.call('DELETE', `/datapipes/${made.id}`)
})

test('finds the columns that a pipe does not have in its files', async () => {
  await writeFile(join(files, 'found.jsonl'), '{"id":1,"text":"a","tags":["x"]}\n{"id":2,"text":"b","tags":[]}\n')
  const destination = { ...pipeInputs.objectStorage.destination, columns: undefined }
  const made = await pipe({ url: 'found.jsonl' }, { destination, fieldMappings: null })
  await eventually(made.get).toMatchObject({ state: 'Completed', stateDetail: '1 file loaded' })
  expect((await made.get()).destination.columns).toEqual([
    { name: 'id', type: 'Int64' },
    { name: 'text', type: 'String' },
    { name: 'tags', type: 'Array(String)' },
  ])
  expect(await rowsOf(made)).toEqual([{ rows: '2', ids: '3', texts: '2' }])
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

test.each([
  ['file', '{1..999999999}.jsonl'],
  ['file', `${'{a,b}'.repeat(40)}*.jsonl`],
  ['s3', 'https://bucket.example/{2000..3000}/{1..31}.jsonl'],
])('rejects braces that would fill the memory of the engine with names: %s', async (type, url) => {
  const { made } = await pipe({ type, url, isContinuous: true })
  const words = 'source.objectStorage.url: its braces stand for more than 10,000 names'
  expect(made).toMatchObject({ status: 400, json: { error: expect.stringContaining(words) } })
})

test.each(['http', 's3'])('does not follow a redirect: %s', async (type) => {
  await writeFile(join(files, 'elsewhere.jsonl'), '{"id":1,"text":"secret"}\n')
  const loaded = await pipe({ type, url: `${webUrl()}/away/elsewhere.jsonl` })
  await eventually(loaded.get).toMatchObject({
    state: 'Degraded',
    stateDetail: expect.stringContaining('failed to access'),
  })
  await control.call('DELETE', `/datapipes/${loaded.id}`)
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

/** Paths that the web server does not serve for a while. */
const failing = new Set<string>()

/** Files over HTTP, and as much of S3 as lists a bucket. */
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
