/** Somebody asks for large responses and reads none of them. */
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { gatewayForTests } from '../testing/testGateway.ts'

/** More than the buffers of a connection on one machine hold. */
const megabytes = 2 ** 20
const { upstream, gateway } = await gatewayForTests({ tuning: { unreadLimit: 24 * megabytes } })
const path = '/api/c/oss/stack/team/members'

/** Sends a request and reads nothing of its response. */
function ask(): Socket {
  const headers = Object.entries({ ...gateway.own, cookie: gateway.cookie, host: `127.0.0.1:${gateway.port}` })
  const socket = connect(gateway.port, '127.0.0.1')
  socket.on('error', () => {}).pause()
  socket.write(`GET ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  return socket
}

test('what waits for one caller is bounded, and others and small responses are served', async () => {
  const members = JSON.stringify({ data: [{ _id: 'a', name: 'x'.repeat(16 * megabytes), email: 'a@example.com' }] })
  upstream.become((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(members))
  const idle = ask()
  await expect.poll(() => upstream.hits.length).toBe(1)
  let refused = await gateway.call('GET', path)
  while (refused.status === 200) refused = await gateway.call('GET', path)
  expect([refused.status, refused.code, refused.json['message']]).toEqual([
    429,
    'rateLimited',
    'Earlier responses have not been received yet. Try again once they have.',
  ])
  expect((await gateway.call('GET', '/api/connections')).status).toBe(200)
  idle.destroy()
  await expect.poll(async () => (await gateway.call('GET', path)).status).toBe(200)
  // Received completely, it counts no more.
  expect((await gateway.call('GET', path)).status).toBe(200)
})
