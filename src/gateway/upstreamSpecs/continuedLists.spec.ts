/** Lists with `hasMore` beside them in the envelope. */
import { expect, test } from 'vitest'
import { alerts } from '#contract/stack/alerts.ts'
import { fillPath, gatewayPath } from '#contract/wire/kernel.ts'
import { answerJson, gatewayForTests } from '../testing/testGateway.ts'

const { upstream, gateway } = await gatewayForTests()

const path = fillPath(gatewayPath(alerts.evaluations), { connectionId: 'oss', alertId: 'a'.repeat(24) })
const evaluation = { createdAt: '2026-11-20T00:00:00.000Z', state: 'OK', counts: 0, lastValues: [] }

test.each(['data', 'result'])('keeps what is beside the evaluations in %s', async (key) => {
  upstream.become(answerJson({ [key]: [evaluation], hasMore: true, nextBefore: 5, status: 200, requestId: 'r' }))
  expect((await gateway.call('GET', path)).json).toMatchObject({
    result: { items: [evaluation], hasMore: true, nextBefore: 5 },
  })
})

test('evaluations that are no list cannot be read', async () => {
  upstream.become(answerJson({ data: { state: 'OK' } }))
  expect((await gateway.call('GET', path)).code).toBe('malformedReply')
})
