import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostCheck } from './addresses.ts'
import { createEgress, ConnectError, type Resolver } from './egressGuard.ts'
import { startUpstream, type TestUpstream } from '../testing/testGateway.ts'
import { Upstream } from './upstream.ts'
import type { Target } from './upstreamTarget.ts'

const deadlines = { connect: 300, headers: 1_000, body: 1_000, total: 1_000 }

/** Hosts that lead to this machine, a private network or a metadata service, however they are spelled. */
const insideHosts = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.1
  00000177.0.0.1 127.255.255.254 ①②⑦.⓪.⓪.① １２７.0.0.1 127。0。0。1 127.0.0.1. localhost LOCALHOST localhost. 0
  0.0.0.0 0x0 00.00.00.00 0.1.2.3 10.0.0.1 10.255.255.255 0xa000001 012.0.0.1 172.16.0.1 172.31.255.255
  192.168.0.1 192.168.1.1. 3232235777 100.64.0.1 100.127.255.255 169.254.169.254 169.254.170.2 2852039166
  0xa9fea9fe 0251.0376.0251.0376 169.254.43518 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1 198.18.0.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 [::1] [0:0:0:0:0:0:0:1] [::] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [::127.0.0.1] [::7f00:1] [::ffff:a9fe:a9fe] [::a9fe:a9fe] [::ffff:10.0.0.1]
  [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a9fe:a9fe] [2002:7f00:1::]
  [2002:a9fe:a9fe::] [2002:a00:1::1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe]
  [2001:0:4136:e378:8000:63bf:5601:5601] [fe80::5efe:127.0.0.1] [2001:4860::200:5efe:a9fe:a9fe] [fe80::1]
  [fec0::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [fdff::1] [ff02::1] [100::1] [2001:db8::1] [3fff::1]`
  .trim()
  .split(/\s+/)

/** Among them those that no connection may reach, whatever a person allowed. */
const neverHosts = `
  169.254.169.254 0xa9fea9fe [::ffff:a9fe:a9fe] [::a9fe:a9fe] [64:ff9b::a9fe:a9fe] 0.0.0.0 [2002:a9fe:a9fe::]
  [fd00:ec2::254] [fd20:ce::254] 100.100.100.200 224.0.0.1 [::] [ff02::1]`
  .trim()
  .split(/\s+/)

const resolveLocalhost: Resolver = async (name) => (/^localhost\.?$/.test(name) ? ['::1', '127.0.0.1'] : [])

let upstream: TestUpstream
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())

function targetTo(baseUrl: string, allowPrivate: boolean): Target {
  return {
    connectionId: 'test',
    revision: '1',
    variant: 'openSource',
    baseUrl,
    names: { stack: 'stack', pipes: 'datapipes', version: 'dbVersion', settingPrefix: 'db_' },
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

describe('where a connection may lead', () => {
  test('the table is long enough', () => expect(new Set(insideHosts).size).toBeGreaterThan(60))

  test.each(insideHosts)('%s is not reached without leave', async (host) => {
    upstream.hits.length = 0
    const error = await reach(new URL(`http://${host}:${upstream.port}`).origin, false).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ConnectError)
    expect(error).toHaveProperty('code', expect.stringMatching(/_ADDRESS$/))
    expect(upstream.hits).toEqual([])
  })

  test.each(neverHosts)('%s is not reached with leave either', async (host) => {
    const error = await reach(new URL(`http://${host}:${upstream.port}`).origin, true).catch((error: unknown) => error)
    expect(error).toHaveProperty('code', 'REFUSED_ADDRESS')
  })

  test('this machine is reached with leave', async () => {
    expect(await reach(upstream.url, true)).toHaveProperty('status', 200)
  })

  test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1'])(
    '%s is public',
    (address) => expect(hostCheck(address)).toBe('public'),
  )

  test.each(['', 'example.com', '1.2.3', '::1::', '127.0.0.1/8'])('"%s" is no address', (text) =>
    expect(hostCheck(text)).toBe('never'),
  )
})

describe('names', () => {
  const name = () => `http://pinned.test:${upstream.port}`

  test('the checked address is the one that is connected to, asked for once a socket', async () => {
    const asked: string[] = []
    const resolve: Resolver = async (host) => (asked.push(host), ['127.0.0.1'])
    expect(await reach(name(), true, resolve)).toHaveProperty('status', 200)
    expect(asked).toEqual(['pinned.test'])
  })

  test('one inside address among public ones refuses the name', async () => {
    upstream.hits.length = 0
    const error = await reach(name(), false, async () => ['93.184.216.34', '127.0.0.1']).catch(
      (error: unknown) => error,
    )
    expect(error).toHaveProperty('code', 'PRIVATE_ADDRESS')
    expect(upstream.hits).toEqual([])
  })

  test('a name that is rebound between two sockets is refused at the second', async () => {
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

  test('a socket opened with leave is not used without', async () => {
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

  test('a name without an address says so', async () => {
    const error = await reach('http://nowhere.test', false, async () => []).catch((error: unknown) => error)
    expect(error).toHaveProperty('code', 'ENOTFOUND')
  })

  test('a name server that does not answer is not waited for, and nothing counts as sent', async () => {
    const error = await reach('http://slow.test', false, () => new Promise(() => {})).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ConnectError)
  })

  test('the second address is tried when the first refuses', async () => {
    expect(await reach(name(), true, async () => ['127.0.0.2', '127.0.0.1'])).toHaveProperty('status', 200)
  })
})
