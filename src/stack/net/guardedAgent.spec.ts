/** Addresses that the pipes' own HTTP client reaches: schema registries and Kinesis endpoints that lead into the network of the stack. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { KinesisClient, ListShardsCommand } from '@aws-sdk/client-kinesis'
import { redirectsTo, startPrivateListener, type PrivateListener } from '#node/testing/privateListener.ts'
import { guardedHandler } from '../pipes/kinesis/guardedHandler.ts'
import { schemaRegistry } from '../pipes/schemas/schemaRegistry.ts'
import { startReceiver, type TestReceiver } from '../testing/testReceiver.ts'
import { guardedAgent } from './guardedAgent.ts'
import { createHostCheck, type HostCheck } from './reachableHosts.ts'

let listener: PrivateListener
let server: TestReceiver
beforeAll(async () => {
  listener = await startPrivateListener()
  server = await startReceiver()
})
afterAll(async () => {
  listener.close()
  await server.close()
})
beforeEach(() => server.requests.splice(0))

const readers: Record<string, (url: string, checkHost: HostCheck) => Promise<unknown>> = {
  'a schema registry': async (url, checkHost) => {
    const registry = schemaRegistry({ url }, checkHost)
    return registry.schema(1).finally(() => registry.close())
  },
  'a Kinesis endpoint': async (url, checkHost) => {
    const agent = guardedAgent(checkHost)
    const client = new KinesisClient({
      region: 'eu-central-1',
      endpoint: url,
      maxAttempts: 1,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      requestHandler: guardedHandler(agent),
    })
    return client.send(new ListShardsCommand({ StreamName: 's' })).finally(() => agent.destroy())
  },
}

/** The names of all causes of an error. */
const reasonsOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${reasonsOf(error.cause)}` : ''

describe.each(Object.entries(readers))('%s', (_, read) => {
  const failing = (url: string, checkHost: HostCheck) => read(url, checkHost).then(() => '', reasonsOf)

  test('that redirects is not followed', async () => {
    const checkHost = createHostCheck({ allowed: ['127.0.0.1'], own: [] }, async () => ['127.0.0.1'])
    const redirects = redirectsTo(listener.port)
    for (const { status, location } of redirects) {
      server.answer = (__, response) => response.writeHead(status, { location }).end()
      expect(await failing(server.url, checkHost)).not.toBe('')
    }
    expect([server.requests.length, listener.connections]).toEqual([redirects.length, 0])
  })

  test('whose name is bound to a private address after it was checked is not reached', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    const resolve = async () => answers.shift() ?? ['127.0.0.1']
    const checkHost = createHostCheck({ allowed: [], own: [] }, resolve)
    expect(await checkHost('turns.example')).toMatchObject({ problem: null })
    expect(await failing(`http://turns.example:${listener.port}`, checkHost)).toContain('private or reserved address')
    expect(listener.connections).toBe(0)
  })

  test.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '2130706433', '0177.1', 'two.example'])(
    'at %s is not reached',
    async (host) => {
      const checkHost = createHostCheck({ allowed: [], own: [] }, async () => ['93.184.215.14', '::ffff:127.0.0.1'])
      expect(await failing(`http://${host}:${listener.port}`, checkHost)).toContain('private or reserved address')
      expect(listener.connections).toBe(0)
    },
  )
})
