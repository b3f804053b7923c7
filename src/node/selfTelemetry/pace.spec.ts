import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { startSelfTelemetry } from './selfTelemetry.ts'

test('metrics are exported often while the product is used, and not while nobody does', async () => {
  let exports = 0
  const collector = createServer((request, response) => {
    if (request.url === '/v1/metrics') exports++
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  const address = collector.address()
  const port = typeof address === 'object' ? address?.port : 0
  let looks = 0
  let sinceUse = Infinity
  const telemetry = startSelfTelemetry({
    serviceName: 'paced',
    collector: { endpoint: `http://127.0.0.1:${port}`, ingestionKey: () => 'key' },
    interval: 5,
    restInterval: 3_600_000,
    processGauges: true,
    sinceUse: () => {
      looks++
      return sinceUse
    },
  })
  try {
    await expect.poll(() => looks).toBeGreaterThan(10)
    expect(exports).toBe(0)
    sinceUse = 0
    await expect.poll(() => exports).toBeGreaterThan(3)
    sinceUse = Infinity
    const looked = looks
    await expect.poll(() => looks).toBeGreaterThan(looked + 5)
    const before = exports
    await expect.poll(() => looks).toBeGreaterThan(looked + 20)
    expect(exports).toBe(before)
  } finally {
    await telemetry.shutdown()
    collector.close()
  }
  // Counts since then are not lost.
  expect(exports).toBeGreaterThan(0)
})
