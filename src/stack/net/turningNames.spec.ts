/** Names that a real DNS server gives a public address at first, and a private one from then on. */
import { request as plainRequest, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { request } from 'undici'
import { startPrivateListener, type PrivateListener } from '#node/testing/privateListener.ts'
import { startRebindingDns, type RebindingDns } from '#node/testing/rebindingDns.ts'
import { createEgress } from '#node/upstream/egressGuard.ts'
import { createEgressProxy } from './egressProxy.ts'
import { guardedAgent } from './guardedAgent.ts'
import { createHostCheck } from './reachableHosts.ts'
import { webhookGuard } from './webhookAddress.ts'

const host = 'turns.example'
const rules = { allowed: [], own: [] }
const publicAddress = '93.184.215.14'
/** A refusal in words, or the proxy's status by itself: a port may contain the same digits. */
const refused = /private|reserved|^403$/

let listener: PrivateListener
let dns: RebindingDns
beforeEach(async () => {
  listener = await startPrivateListener()
})
afterEach(() => {
  listener.close()
  dns.close()
})

const url = () => `http://${host}:${listener.port}/`

/** Every way in which the product connects to a host that people name. What it returns is why nothing was connected. */
const ways: Record<string, () => Promise<string>> = {
  async 'a request of the console'() {
    const egress = createEgress({ connect: 500, headers: 500, body: 500, total: 500 }, dns.resolve)
    const sent = request(url(), { dispatcher: egress.agent(false) })
    return sent.then(() => '', reasonOf).finally(() => egress.close())
  },
  async 'a request of a data pipe'() {
    const agent = guardedAgent(createHostCheck(rules, dns.resolve))
    const sent = request(url(), { dispatcher: agent, signal: AbortSignal.timeout(500) })
    return sent.then(() => '', reasonOf).finally(() => agent.destroy())
  },
  async 'a webhook'() {
    const checked = await webhookGuard(rules, dns.resolve)(url(), 'generic')
    return checked.problem ?? checked.addresses.join()
  },
  'a request of the engine': () =>
    throughProxy(
      (port) =>
        new Promise((done, fail) => {
          const sent = plainRequest({ host: '127.0.0.1', port, path: url(), timeout: 500 }, (response) =>
            done(`${response.statusCode}`),
          )
          sent.on('timeout', () => sent.destroy(new Error('timeout')))
          sent.on('error', fail).end()
        }),
    ),
  'a tunnel of the engine': () =>
    throughProxy(
      (port) =>
        new Promise((done, fail) => {
          const socket = connect(port, '127.0.0.1', () =>
            socket.write(`CONNECT ${host}:${listener.port} HTTP/1.1\r\n\r\n`),
          )
          socket.setTimeout(500, () => socket.destroy(new Error('timeout')))
          socket.on('data', (data) => done(String(data).split(' ')[1] ?? ''))
          socket.on('error', fail)
          socket.on('close', () => fail(new Error('closed')))
        }),
    ),
}

async function throughProxy(send: (port: number) => Promise<string>): Promise<string> {
  const proxy: Server = createEgressProxy(createHostCheck(rules, dns.resolve))
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
  const { port } = proxy.address() as AddressInfo // it listens on a port
  return send(port)
    .catch(reasonOf)
    .finally(() => proxy.close())
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

test.each(Object.entries(ways))('%s does not reach a name that turns after it was looked up', async (_, connectBy) => {
  dns = await startRebindingDns([[publicAddress], ['127.0.0.1']])
  // One connection looks its name up once: what it looked up is what it connects to.
  const first = await connectBy()
  expect(dns.questions).toEqual([host])
  expect(first).not.toMatch(refused)
  expect(await connectBy()).toMatch(refused)
  expect(dns.questions).toEqual([host, host])
  expect(listener.connections).toBe(0)
})

test.each(Object.entries(ways))(
  '%s does not reach a name with a public and a private address',
  async (_, connectBy) => {
    dns = await startRebindingDns([
      [publicAddress, '127.0.0.1'],
      ['127.0.0.1', publicAddress],
    ])
    expect(await connectBy()).toMatch(refused)
    expect(await connectBy()).toMatch(refused)
    expect(listener.connections).toBe(0)
  },
)

test('the listener counts what reaches it', async () => {
  dns = await startRebindingDns([['127.0.0.1']])
  const checkHost = createHostCheck({ allowed: [host], own: [] }, dns.resolve)
  const agent = guardedAgent(checkHost)
  await expect(request(url(), { dispatcher: agent })).rejects.toThrow()
  await agent.destroy()
  expect(listener.connections).toBe(1)
})
