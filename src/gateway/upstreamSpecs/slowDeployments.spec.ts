import { expect, test } from 'vitest'
import { answerJson, gatewayForTests, newAlert } from '../testing/testGateway.ts'

const slow = { connect: 1_000, headers: 60_000, body: 60_000, total: 60_000 }
const { upstream, gateway } = await gatewayForTests({
  tuning: { deadlines: slow, retries: { retries: [1, 1], readBacks: [1, 1], wait: 10_000 } },
})

test('40 hanging reads delay neither a write nor another page', async () => {
  const id = (at: number) => String(at).padStart(24, '0')
  const hung: (() => void)[] = []
  upstream.become((hit, response) => {
    const answer = () => answerJson({ data: { id: id(1) } })(hit, response)
    if (hit.method === 'GET' && hit.url.includes('/alerts/')) hung.push(answer)
    else answerJson({ data: hit.method === 'GET' ? [] : { id: id(1) } })(hit, response)
  })
  const reads = Array.from({ length: 40 }, (_, at) => gateway.call('GET', `/api/c/oss/stack/alerts/${id(at)}`))
  const [write, page] = await Promise.all([
    gateway.call('POST', '/api/c/oss/stack/alerts', newAlert, { 'x-priority': 'user' }),
    gateway.call('GET', '/api/c/oss/stack/sources'),
  ])
  expect([write.status, page.status]).toEqual([200, 200])
  expect(hung).toHaveLength(40)
  for (const answer of hung) answer()
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(reads.map(() => 200))
})
