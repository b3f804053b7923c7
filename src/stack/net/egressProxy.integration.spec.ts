/** DNS rebinding: connections are made to the address that was checked. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newPipe } from '../pipes/model/newPipe.ts'
import { openEngine, type Engine } from '../telemetry/engine/engine.ts'
import { managedClientOf, pipeInputs, type ManagedClient } from '../testing/managedClient.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'
import { createEgressProxy } from './egressProxy.ts'
import { checkedAddress, openPostgres } from '../pipes/postgres/source/postgresServer.ts'
import { createHostCheck } from './reachableHosts.ts'

const port = (server: Server) => (server.address() as AddressInfo).port
const listening = (server: Server) => new Promise<Server>((ready) => server.listen(0, '127.0.0.1', () => ready(server)))

/** A server on this machine that records the requested hosts. */
const requests: { url: string; headers: IncomingHttpHeaders }[] = []
let web: Server
beforeAll(async () => {
  web = await listening(
    createServer((incoming, answer) => {
      requests.push({ url: incoming.url ?? '', headers: incoming.headers })
      answer.setHeader('content-type', 'application/octet-stream')
      answer.end('{"id":1,"text":"a"}\n')
    }),
  )
})
afterAll(() => web.close())
beforeEach(() => requests.splice(0))

/** Where names lead: the last answer holds from then on. */
const answers: Record<string, string[][]> = {}
const resolver = async (name: string) => {
  const [next = [], ...later] = answers[name] ?? []
  if (later.length > 0) answers[name] = later
  return next
}
const checkHost = createHostCheck({ allowed: ['inside.example'], own: ['engine.example'] }, resolver)

describe('egress proxy', () => {
  let proxy: Server
  beforeEach(async () => {
    proxy = await listening(createEgressProxy(checkHost))
  })
  afterEach(() => proxy.close())

  function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port: port(proxy), path, headers }, async (answer) => {
        const parts = await answer.toArray()
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() })
      })
      outgoing.on('error', reject).end()
    })
  }

  /** The first line that a tunnel is answered with, and what comes through it. */
  function tunnel(target: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(port(proxy), '127.0.0.1', () => {
        socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
      })
      socket.on('data', (part) => {
        text += part.toString()
        if (text.endsWith('Connected\r\n\r\n'))
          socket.write('GET /through HTTP/1.1\r\nHost: own\r\nConnection: close\r\n\r\n')
      })
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
    })
  }

  test('sends a request to the checked address with its original spelling', async () => {
    answers['inside.example'] = [['127.0.0.1'], ['10.0.0.1']]
    const path = '/a/../b%2Fc?x=%20&y'
    const host = `inside.example:${port(web)}`
    expect(await get(`http://${host}${path}`, { host, authorization: 'signed' })).toMatchObject({ status: 200 })
    expect(requests).toMatchObject([{ url: path, headers: { host, authorization: 'signed' } }])
  })

  test.each([
    ['http://127.0.0.1/x', 403, 'private or reserved'],
    ['http://engine.example/x', 403, 'an engine of this deployment'],
    ['http://nowhere.example/x', 502, 'nowhere.example cannot be resolved'],
    ['https://inside.example/x', 400, 'not a proxy request'],
    ['/x', 400, 'not a proxy request'],
  ])('answers %s with %i', async (path, status, words) => {
    expect(await get(path)).toEqual({ status, text: expect.stringContaining(words) })
  })

  test('rejects a name on its second use if it then resolves to a private address', async () => {
    answers['turns.example'] = [['93.184.215.14'], ['127.0.0.1']]
    expect(await checkHost('turns.example')).toEqual({ problem: null, addresses: ['93.184.215.14'] })
    expect(await get(`http://turns.example:${port(web)}/x`)).toMatchObject({ status: 403 })
    expect(requests).toEqual([])
  })

  test('opens a tunnel to the checked address only', async () => {
    answers['inside.example'] = [['127.0.0.1']]
    expect(await tunnel(`inside.example:${port(web)}`)).toContain('{"id":1,"text":"a"}')
    expect(requests).toMatchObject([{ url: '/through' }])
    expect(await tunnel(`127.0.0.1:${port(web)}`)).toMatch(/^HTTP\/1.1 403 /)
    expect(await tunnel('not a host')).toMatch(/^HTTP\/1.1 400 /)
    expect(await tunnel('nowhere.example:443')).toMatch(/^HTTP\/1.1 502 /)
    expect(requests).toHaveLength(1)
  })

  test('says that the other end of a tunnel was not reached', async () => {
    answers['inside.example'] = [['127.0.0.1']]
    expect(await tunnel('inside.example:1')).toMatch(/^HTTP\/1.1 502 .*ECONNREFUSED/s)
  })
})

describe('data pipe', () => {
  let folder: string
  let engine: Engine
  let stack: TestStack
  let control: ManagedClient
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'egress-'))
    engine = await openEngine({ dataDir: folder })
    stack = await startTestStack({ engine, cloud: { checkHost } })
    control = managedClientOf(stack)
  })
  afterAll(async () => {
    await stack.close()
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  })

  const create = (name: string, type: string) =>
    control.call('POST', '/datapipes', {
      ...pipeInputs.objectStorage,
      source: {
        objectStorage: { type, format: 'JSONEachRow', url: `http://${name}:${port(web)}/bucket/rows.jsonl` },
      },
    })

  test('reads from the checked address of its host, which only the stack knows', async () => {
    answers['inside.example'] = [['127.0.0.1']]
    const { json } = await create('inside.example', 'http')
    await expect
      .poll(async () => (await control.call('GET', `/datapipes/${json.result.id}`)).json.result)
      .toMatchObject({ state: 'Completed' })
    expect(requests.length).toBeGreaterThan(0)
  })

  test.each(['http', 's3'])('does not reach a private address by DNS rebinding: %s', async (type) => {
    answers['turns.example'] = [['93.184.215.14'], ['127.0.0.1']]
    const { json } = await create('turns.example', type)
    await expect
      .poll(async () => (await control.call('GET', `/datapipes/${json.result.id}`)).json.result)
      .toMatchObject({ stateDetail: expect.stringMatching(/failed to access|private or reserved/) })
    expect(requests).toEqual([])
  })

  test('connects to the checked address of a database', async () => {
    answers['turns.example'] = [['2606:4700::1111', '93.184.215.14'], ['10.0.0.1']]
    const document = newPipe('service', pipeInputs.postgres, '2026-01-01')
    const pipe = { ...document, source: { postgres: { ...document.source?.postgres, host: 'turns.example' } } }
    expect(await checkedAddress(pipe, checkHost)).toBe('93.184.215.14')
    await expect(openPostgres(pipe, checkHost)).rejects.toThrow('private or reserved')
    answers['turns.example'] = [['2606:4700::1111']]
    expect(await checkedAddress(pipe, checkHost)).toBe('2606:4700::1111')
    answers['turns.example'] = [[]]
    await expect(openPostgres(pipe, checkHost)).rejects.toThrow(
      'turns.example was not reached: its name cannot be resolved',
    )
  })
})
