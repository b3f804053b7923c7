/** Requests that are not repeated because their response would be the same. */
import { beforeEach, expect, test } from 'vitest'
import { charts } from '#contract/stack/charts.ts'
import { fillPath, gatewayPath } from '#contract/wire/kernel.ts'
import { sample } from '#contract/stack/sample.ts'
import { answerJson, answerText, gatewayForTests } from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()
beforeEach(() => void (upstream.hits.length = 0))

const readSample = (connectionId: string) => gateway.call('GET', fillPath(gatewayPath(sample.get), { connectionId }))

/** Saves the connection unchanged. */
async function edit(): Promise<void> {
  const { json } = await gateway.call('GET', '/api/connections')
  const all = json as unknown as Record<string, unknown>[]
  const { name, variant, baseUrl, allowPrivate } = all.find(({ id }) => id === 'oss')!
  const edited = { name: name, variant, baseUrl, allowPrivate }
  expect((await gateway.call('PUT', '/api/connections/oss', edited)).status).toBe(200)
}

test('requests missing sample data once, until the connection is edited', async () => {
  upstream.become(answerText('<!doctype html><pre>Cannot GET /api/v2/sample</pre>', 'text/html; charset=utf-8', 404))
  for (let page = 0; page < 3; page++) expect((await readSample('oss')).code).toBe('notOffered')
  expect(upstream.hits).toHaveLength(1)

  await edit()
  await readSample('oss')
  expect(upstream.hits).toHaveLength(2)
})

test('requests sample data again if it exists or the request failed', async () => {
  await edit()
  upstream.become(answerText('down', 'text/plain', 503))
  expect((await readSample('oss')).code).toBe('upstreamFailed')
  upstream.become(answerJson({ data: { state: 'ready', progress: 1, records: 1 } }))
  upstream.hits.length = 0
  for (let page = 0; page < 2; page++) expect((await readSample('oss')).status).toBe(200)
  expect(upstream.hits).toHaveLength(2)
})

test('sends a failing chart query once', async () => {
  upstream.become(answerJson({ error: 'Unknown identifier Nothing' }, 500))
  const body = { startTime: 1.7e12, endTime: 1.7e12 + 1, series: [{ sourceId: 's', aggFn: 'count' }] }
  const answer = await gateway.call('POST', fillPath(gatewayPath(charts.query), { connectionId: 'oss' }), body)
  expect(answer.code).toBe('upstreamFailed')
  expect(answer.json.detail).toBe('Unknown identifier Nothing')
  expect(upstream.hits).toHaveLength(1)
})
