/** Keys of objects that are no paths of files. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'

let pipes: PipeFiles
let web: Server
beforeAll(async () => {
  pipes = await startPipeFiles()
  web = createServer(answer)
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await pipes.close()
  web.close()
})

const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 50 })
/** Contents by key. */
const objects = new Map<string, string>()

/** A bucket: its list, and its objects by exactly their keys. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = String(request.url)
  const [path = '', query = ''] = url.split('?')
  if (query.includes('list-type')) {
    const prefix = new URLSearchParams(query).get('prefix') ?? ''
    const contents = [...objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(
        ([key, text]) =>
          `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00Z</LastModified><Size>${text.length}</Size></Contents>`,
      )
    response.setHeader('content-type', 'application/xml')
    response.end(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
    )
    return
  }
  const text = objects.get(decodeURIComponent(path.replace('/bucket/', '')))
  if (text === undefined) return void response.writeHead(404).end()
  const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '')
  const part = range ? text.slice(Number(range[1]), range[2] ? Number(range[2]) + 1 : undefined) : text
  response.writeHead(range ? 206 : 200, {
    'content-length': part.length,
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    etag: '"e"',
    ...(range && { 'content-range': `bytes ${range[1]}-${Number(range[1]) + part.length - 1}/${text.length}` }),
  })
  response.end(request.method === 'HEAD' ? undefined : part)
}

/** A pipe for a bucket with one object, and one beside it. */
async function pipeOf(key: string, pattern: string) {
  objects.clear()
  objects.set(key, '{"id":1,"text":"a"}\n')
  objects.set('zz/beside.jsonl', '{"id":2,"text":"b"}\n')
  const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/bucket/`
  return pipes.pipe({ type: 's3', url: address + pattern })
}

test.each([
  ['spaces and signs', 'signs/a b+c%d=e.jsonl', '{signs,zz}/*.jsonl'],
  ['letters', 'letters/ä ж.jsonl', '{letters,zz}/*.jsonl'],
])('%s are read', async (_, key, pattern) => {
  const loaded = await pipeOf(key, pattern)
  await eventually(loaded.get).toMatchObject({ state: 'Completed', stateDetail: '2 files loaded' })
  expect(await pipes.rowsOf(loaded, 'sum(id) AS ids')).toEqual([{ ids: '3' }])
})

test.each([
  ['two slashes', 'two//slashes.jsonl', 'slashes.jsonl: the engine cannot read a key with an empty part'],
  ['a dot between slashes', 'dot/./row.jsonl', 'row.jsonl: the engine cannot read a key with an empty part'],
  ['a slash at the beginning', '/first.jsonl', 'first.jsonl: the bucket lists it, and does not have it'],
])('%s: the object is skipped with the reason, and others are loaded', async (_, key, reason) => {
  const loaded = await pipeOf(key, '**.jsonl')
  await eventually(loaded.get).toMatchObject({
    state: 'Failed',
    stateDetail: expect.stringContaining(`1 of 2 files could not be read. ${reason}`),
  })
  expect(await pipes.rowsOf(loaded, 'sum(id) AS ids')).toEqual([{ ids: '2' }])
})
