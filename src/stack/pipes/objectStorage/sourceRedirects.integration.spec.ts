/** Storage servers that lead to a server inside of the network, and storages that the stack does not read. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { redirectsTo, startPrivateListener, type PrivateListener } from '#node/testing/privateListener.ts'
import { startPipeFiles, type PipeFiles } from '../../testing/pipeFiles.ts'
import { startReceiver, type TestReceiver } from '../../testing/testReceiver.ts'

let pipes: PipeFiles
let listener: PrivateListener
let server: TestReceiver
beforeAll(async () => {
  pipes = await startPipeFiles()
})
afterAll(async () => {
  await pipes.close()
})
beforeEach(async () => {
  ;[listener, server] = await Promise.all([startPrivateListener(), startReceiver()])
})
afterEach(async () => {
  listener.close()
  await server.close()
})

/** S3's headers beside its redirects: a client may take the endpoint or the region from it. */
const permanentRedirect = (location: string) =>
  `<?xml version="1.0"?><Error><Code>PermanentRedirect</Code><Endpoint>${new URL(location, 'http://x').host}</Endpoint><Bucket>bucket</Bucket></Error>`

const key = { authentication: 'IAM_USER', accessKey: { accessKeyId: 'a', secretKey: 'b' } }

test.each([
  ['one file', { type: 'http', url: '/rows.jsonl' }],
  ['files in braces', { type: 'http', url: '/rows-{1..2}.jsonl' }],
  ['an object', { type: 's3', url: '/bucket/rows.jsonl' }],
  ['the list of a bucket', { type: 's3', url: '/bucket/in/*.jsonl' }],
  ['the list of a bucket with a key', { type: 's3', url: '/bucket/in/*.jsonl', ...key }],
  ['the list of another storage', { type: 'gcs', url: '/bucket/in/*.jsonl', ...key }],
])('a redirect of %s is not followed', async (_, source) => {
  // Each location, with a status each: every pipe asks its server several times.
  const redirects = redirectsTo(listener.port).filter((__, at) => at % 11 === 0)
  for (const { status, location } of redirects) {
    server.answer = (__, response) => {
      response.writeHead(status, { location, 'x-amz-bucket-region': 'eu-west-9', 'content-type': 'application/xml' })
      response.end(permanentRedirect(location))
    }
    const { id, get } = await pipes.pipe({ ...source, url: `${server.url}${source.url}` })
    const detail = expect.stringMatching(/failed to access|error from remote server/)
    await expect
      .poll(get, { interval: 50, message: `${status} ${location}` })
      .toMatchObject({ state: 'Degraded', stateDetail: detail })
    await pipes.control.call('DELETE', `/datapipes/${id}`)
  }
  expect(server.requests.length).toBeGreaterThanOrEqual(redirects.length)
  expect(listener.connections).toBe(0)
})

test('a list whose keys and tokens are addresses leads nowhere else', async () => {
  const inside = `http://127.0.0.1:${listener.port}/x.jsonl`
  server.answer = (request, response) => {
    if (!request.url.includes('list-type')) return response.writeHead(404).end()
    const keys = [
      inside,
      `in/../../../${inside}`,
      `in/@127.0.0.1:${listener.port}/x.jsonl`,
      `//127.0.0.1:${listener.port}/x`,
    ]
    const contents = keys.map(
      (file) =>
        `<Contents><Key>${file}</Key><LastModified>2026-01-01T00:00:00Z</LastModified><Size>9</Size></Contents>`,
    )
    response.setHeader('content-type', 'application/xml')
    const more = request.url.includes('continuation-token')
      ? '<IsTruncated>false</IsTruncated>'
      : `<IsTruncated>true</IsTruncated><NextContinuationToken>${inside}</NextContinuationToken>`
    response.end(`<?xml version="1.0"?><ListBucketResult>${more}${contents.join('')}</ListBucketResult>`)
  }
  for (const url of ['/bucket/in/*.jsonl', '/bucket/**']) {
    const { get } = await pipes.pipe({ type: 's3', url: `${server.url}${url}`, ...key })
    await expect.poll(get, { interval: 50 }).not.toMatchObject({ state: 'Provisioning' })
    await expect.poll(async () => (await get()).stateDetail, { interval: 50 }).toMatch(/\w/)
  }
  expect(server.requests.length).toBeGreaterThan(1)
  expect(listener.connections).toBe(0)
})

/** The ways in which Azure's clients are told an endpoint. */
function azureSources(): [string, object][] {
  const host = `127.0.0.1:${listener.port}`
  const account = 'AccountName=a;AccountKey=Yg=='
  const connectionStrings = [
    `DefaultEndpointsProtocol=http;${account};BlobEndpoint=http://${host}/a;`,
    `blobendpoint=HTTP://${host}/a;${account}`,
    `${account};EndpointSuffix=${host}`,
    `UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://${host}`,
    `BlobEndpoint=http://[::ffff:7f00:1]:${listener.port}/a;SharedAccessSignature=sv=1`,
    `BlobEndpoint=http://2130706433:${listener.port}/a;BlobSecondaryEndpoint=http://${host}/b;${account}`,
  ]
  const urls = ['azure', 'az', 'abfs', 'abfss', 'wasb', 'wasbs', 'azure_storage'].flatMap((scheme) => [
    `${scheme}://container@${host}/in/*.jsonl`,
    `${scheme}://${host}/container/in/*.jsonl`,
  ])
  const more = connectionStrings.map((connectionString) => ({
    connectionString,
    azureContainerName: 'c',
    path: '*.jsonl',
  }))
  return [
    ...more.flatMap((fields): [string, object][] => [
      ['azureblobstorage', { type: 'azureblobstorage', authentication: 'CONNECTION_STRING', ...fields }],
      ['azureblobstorage as a URL', { type: 'azureblobstorage', url: fields.connectionString }],
      ['s3', { type: 's3', url: 'https://bucket.example/*.jsonl', ...fields }],
      ['a connection string as a URL', { type: 's3', url: fields.connectionString }],
    ]),
    ...urls.flatMap((url): [string, object][] => [
      ['azureblobstorage', { type: 'azureblobstorage', url }],
      ['s3', { type: 's3', url }],
      ['http', { type: 'http', url }],
      ['a file', { type: 'file', url }],
      ['nothing', { url }],
    ]),
  ]
}

test('no spelling of an Azure endpoint is reached, in a new pipe or a change of one', async () => {
  server.answer = (_, response) => response.end('{"id":1,"text":"a"}\n')
  const { id } = await pipes.pipe({ type: 'http', url: `${server.url}/rows.jsonl`, isContinuous: true })
  expect(id).toBeDefined()
  for (const [kind, source] of azureSources()) {
    const { made } = await pipes.pipe(source)
    expect(made.status, `${kind} ${JSON.stringify(source)}`).toBe(400)
    const changed = await pipes.control.call('PATCH', `/datapipes/${id}`, { source: { objectStorage: source } })
    expect(changed.status, `${kind} ${JSON.stringify(source)}`).toBe(400)
  }
  expect(listener.connections).toBe(0)
})
