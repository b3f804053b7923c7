import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { isIPv6, type AddressInfo, type Socket } from 'node:net'
import { addressTable } from '#node/testing/addressTable.ts'
import { createEgress, ConnectError, type Resolver } from '#node/upstream/egressGuard.ts'
import { startUpstream, type TestUpstream } from '../testing/testGateway.ts'
import { Upstream } from '#node/upstream/upstream.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'

const deadlines = { connect: 300, headers: 1_000, body: 1_000, total: 1_000 }

/** Hosts that URLs spell in their own ways, and that lead to this machine or a metadata service. */
const oddHosts = `
  127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.1 00000177.0.0.1
  ①②⑦.⓪.⓪.① １２７.0.0.1 127。0。0。1 127.0.0.1. localhost LOCALHOST localhost. 0 0x0 00.00.00.00 0xa000001 012.0.0.1
  192.168.1.1. 3232235777 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 [0:0:0:0:0:0:0:1]`
  .trim()
  .split(/\s+/)

/** The hosts of a scope, as a URL spells them. A URL has no zones. */
const hostsOf = (wanted: string) =>
  addressTable.flatMap(([address, scope]) =>
    scope !== wanted || address.includes('%') ? [] : [isIPv6(address) ? `[${address}]` : address],
  )

const resolveLocalhost: Resolver = async (name) => (/^localhost\.?$/.test(name) ? ['::1', '127.0.0.1'] : [])

let upstream: TestUpstream
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

function targetTo(baseUrl: string, allowPrivate: boolean): UpstreamTarget {
  return {
    connectionId: 'test',
    revision: '1',
    variant: 'openSource',
    baseUrl,
    names: { stack: 'stack', pipes: 'datapipes', version: 'dbVersion', settingPrefix: 'db_', settings: 'dbSettings' },
    readOnly: false,
    allowPrivate,
    authorization: 'Bearer x',
    secrets: [],
  }
}

async function reach(baseUrl: string, allowPrivate: boolean, resolve: Resolver = resolveLocalhost) {
  const egress = createEgress(deadlines, resolve)
  try {
    const sender = new Upstream(egress, deadlines)
    return await sender.send(targetTo(baseUrl, allowPrivate), { method: 'GET', format: 'json', path: '/api/v2/alerts' })
  } finally {
    await egress.close()
  }
}

describe('address of a connection', () => {
  test.each([...oddHosts, ...hostsOf('private'), ...hostsOf('never')])(
    '%s is rejected without permission',
    async (host) => {
      upstream.hits.length = 0
      const error = await reach(new URL(`http://${host}:${upstream.port}`).origin, false).catch(
        (error: unknown) => error,
      )
      expect(error).toBeInstanceOf(ConnectError)
      expect(error).toHaveProperty('code', expect.stringMatching(/_ADDRESS$/))
      expect(upstream.hits).toEqual([])
    },
  )

  test.each(['0xa9fea9fe', ...hostsOf('never')])('%s is rejected with permission', async (host) => {
    const error = await reach(new URL(`http://${host}:${upstream.port}`).origin, true).catch((error: unknown) => error)
    expect(error).toHaveProperty('code', 'REFUSED_ADDRESS')
  })

  test('allows this machine with permission', async () => {
    expect(await reach(upstream.url, true)).toHaveProperty('status', 200)
  })
})

describe('host name', () => {
  const name = () => `http://pinned.test:${upstream.port}`

  test('is resolved once for each socket, which connects to the checked address', async () => {
    const lookups: string[] = []
    const resolve: Resolver = async (host) => (lookups.push(host), ['127.0.0.1'])
    expect(await reach(name(), true, resolve)).toHaveProperty('status', 200)
    expect(lookups).toEqual(['pinned.test'])
  })

  test('is rejected if one of its addresses is private', async () => {
    upstream.hits.length = 0
    const error = await reach(name(), false, async () => ['93.184.216.34', '127.0.0.1']).catch(
      (error: unknown) => error,
    )
    expect(error).toHaveProperty('code', 'PRIVATE_ADDRESS')
    // Which addresses internal names have is not for everybody who may use a connection.
    expect(error).toHaveProperty('message', 'pinned.test resolves to a loopback or private address')
    expect(upstream.hits).toEqual([])
  })

  test('is rejected for a second socket if it was rebound', async () => {
    upstream.hits.length = 0
    const answers = [['2001:4860:4860::8888'], ['127.0.0.1']]
    const egress = createEgress(deadlines, async () => answers.shift() ?? [])
    const sender = new Upstream(egress, deadlines)
    const sending = { method: 'GET', format: 'json', path: '/api/v2/alerts' } as const
    await sender.send(targetTo(name(), false), sending).catch(() => {})
    const second = await sender.send(targetTo(name(), false), sending).catch((error: unknown) => error)
    await egress.close()
    expect(second).toHaveProperty('code', 'PRIVATE_ADDRESS')
    expect(upstream.hits).toEqual([])
  })

  test('does not reuse a socket that was opened with permission', async () => {
    const egress = createEgress(deadlines, resolveLocalhost)
    const sender = new Upstream(egress, deadlines)
    const sending = { method: 'GET', format: 'json', path: '/api/v2/alerts' } as const
    await sender.send(targetTo(upstream.url, true), sending)
    upstream.hits.length = 0
    const error = await sender.send(targetTo(upstream.url, false), sending).catch((error: unknown) => error)
    await egress.close()
    expect(error).toHaveProperty('code', 'PRIVATE_ADDRESS')
    expect(upstream.hits).toEqual([])
  })

  test('without an address is reported', async () => {
    const error = await reach('http://nowhere.test', false, async () => []).catch((error: unknown) => error)
    expect(error).toHaveProperty('code', 'ENOTFOUND')
  })

  test('ends in a timeout if the DNS server does not respond, with nothing sent', async () => {
    const error = await reach('http://slow.test', false, () => new Promise(() => {})).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ConnectError)
  })

  test('falls back to the second address if the first refuses', async () => {
    expect(await reach(name(), true, async () => ['127.0.0.2', '127.0.0.1'])).toHaveProperty('status', 200)
  })
})

test('closes a connection that was opened again for a request which had been cancelled', async () => {
  const waiting: ServerResponse[] = []
  const server = createServer(({ url }, response) => {
    if (url === '/waits') waiting.push(response)
    else response.end('{}')
  })
  // Longer than this test: the client keeps a connection for as long as the server allows.
  server.keepAliveTimeout = 60_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const patient = { ...deadlines, headers: 30_000, total: 30_000 }
  const egress = createEgress({ ...patient, unused: 50 }, resolveLocalhost)
  const sender = new Upstream(egress, patient)
  const target = targetTo(`http://127.0.0.1:${port}`, true)
  const send = (path: string, signal?: AbortSignal) =>
    sender.send(target, { method: 'GET', format: 'json', path, signal })

  const other = send('/waits')
  await once(server, 'request')
  await send('/')
  const cancel = new AbortController()
  const cancelled = send('/waits', cancel.signal)
  await once(server, 'request')
  const opened: Promise<Socket[]> = once(server, 'connection')
  cancel.abort()
  await expect(cancelled).rejects.toThrow('aborted')
  const [socket] = await opened
  await once(socket!, 'close')
  expect(socket!.bytesRead).toBe(0)
  // Connections in use are left alone.
  waiting[0]?.end('{}')
  expect(await other).toHaveProperty('status', 200)
  await egress.close()
  server.close()
})
