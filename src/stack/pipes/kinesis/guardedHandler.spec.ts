import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KinesisClient, ListShardsCommand } from '@aws-sdk/client-kinesis'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { guardedAgent } from '../../net/guardedAgent.ts'
import { createHostCheck } from '../../net/reachableHosts.ts'
import { boundedEvents, guardedHandler } from './guardedHandler.ts'

let server: Server
let endpoint: string
let answer: Parameters<typeof createServer>[1]
let hosts: string[]
beforeEach(async () => {
  hosts = []
  server = createServer((request, response) => {
    hosts.push(String(request.headers.host))
    return answer?.(request, response as never)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function list(allowed: readonly string[]): Promise<unknown> {
  const agent = guardedAgent(createHostCheck({ allowed, own: [] }, async () => ['127.0.0.1']))
  const client = new KinesisClient({
    region: 'eu-central-1',
    endpoint,
    maxAttempts: 1,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: guardedHandler(agent),
  })
  try {
    return await client.send(new ListShardsCommand({ StreamName: 's' }))
  } catch (error) {
    return error
  } finally {
    await agent.destroy()
  }
}

const messages = (error: unknown): string => (error instanceof Error ? `${error.message} ${messages(error.cause)}` : '')

test('connects to allowed addresses only', async () => {
  expect(messages(await list([]))).toContain('private or reserved')
  expect(hosts).toEqual([])
})

test('does not follow a redirect to the metadata of a cloud', async () => {
  answer = (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  expect(await list(['127.0.0.1'])).toBeInstanceOf(Error)
  expect(hosts).toHaveLength(1)
})

test('ends a response that does not end', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, ' ')));
    }
    response.on('drain', more)
    more()
  }
  expect(messages(await list(['127.0.0.1']))).toContain('a response has more than')
})

const frame = (bytes: number) => {
  const data = Buffer.alloc(bytes)
  data.writeUInt32BE(bytes)
  return data
}

async function passed(parts: readonly Uint8Array[]): Promise<Buffer> {
  const found: Uint8Array[] = []
  for await (const part of boundedEvents(
    (async function* () {
      yield* parts
    })(),
  ))
    found.push(part)
  return Buffer.concat(found)
}

test('passes events however they are cut into parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 16, max: 300 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }),
      async (sizes, steps) => {
        const all = Buffer.concat(sizes.map(frame))
        const parts: Buffer[] = []
        for (let at = 0, step = 0; at < all.length; step++) {
          const size = steps[step % steps.length] ?? 1
          parts.push(all.subarray(at, at + size))
          at += size
        }
        expect(await passed(parts)).toEqual(all)
      },
    ),
  )
})

test('refuses an event that announces more than any event has', async () => {
  const claim = Buffer.alloc(8)
  claim.writeUInt32BE(2 ** 32 - 1)
  await expect(passed([frame(20), claim])).rejects.toThrow('an event announces 4294967295 bytes')
})
