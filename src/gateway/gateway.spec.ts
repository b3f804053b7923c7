import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestGateway, startUpstream } from './testKit.ts'

test('a connection that was opened and never used does not keep the gateway from ending', async () => {
  const upstream = await startUpstream()
  const gateway = await startTestGateway(upstream)
  const unused = connect(gateway.port, '127.0.0.1')
  await once(unused, 'connect')
  // Answered on another connection: by then the gateway has the first one, too.
  expect((await gateway.call('GET', '/api/session')).status).toBe(200)
  const ended = performance.now()
  await gateway.close()
  // Half of the patience after which everything is cut.
  expect(performance.now() - ended).toBeLessThan(2_500)
  await upstream.close()
})
