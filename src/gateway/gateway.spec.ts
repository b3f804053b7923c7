import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startTestGateway, startUpstream } from './testing/testGateway.ts'

test('closes despite an idle connection', async () => {
  const upstream = await startUpstream()
  const gateway = await startTestGateway(upstream)
  const unused = connect(gateway.port, '127.0.0.1')
  await once(unused, 'connect')
  // Answered on another connection: by then the gateway has the first one, too.
  expect((await gateway.call('GET', '/api/session')).status).toBe(200)
  // The timer that closes whatever is still open never fires.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await gateway.close()
  vi.useRealTimers()
  await upstream.close()
})

test.each([
  ['headers', { headers: 100, request: 60_000, idle: 60_000 }, ''],
  ['a body', { headers: 100, request: 200, idle: 60_000 }, 'Content-Length: 1000\r\n\r\n'],
])('disconnects a client that sends %s slowly, without delaying others', async (_, timeouts, begin) => {
  const upstream = await startUpstream()
  const gateway = await startTestGateway(upstream, { tuning: { timeouts } })
  const headers = { ...gateway.own, host: `127.0.0.1:${gateway.port}`, cookie: gateway.cookie }
  const lines = Object.entries({ ...headers, 'content-type': 'application/json' })
  const socket = connect(gateway.port, '127.0.0.1')
  const gone = new Promise((done) => socket.on('error', done).on('close', done).resume())
  socket.write(`POST /api/c/oss/stack/alerts HTTP/1.1\r\n`)
  socket.write(lines.map(([name, value]) => `${name}: ${value}\r\n`).join('') + begin)
  const dripping = setInterval(() => socket.write('x'), 20)
  await gone
  clearInterval(dripping)
  expect((await gateway.call('GET', '/api/session')).status).toBe(200)
  expect(upstream.hits).toEqual([])
  await gateway.close()
  await upstream.close()
})
