/** Brokers that nobody should trust. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { apiVersionsV3, Writer } from '@platformatic/kafka'
import { afterEach, expect, test } from 'vitest'
import { createHostCheck } from '../../net/reachableHosts.ts'
import { brokerConnections, type BrokerConnections } from './brokerConnections.ts'
import { clusterOf } from './cluster.ts'
import { decompress } from './decompression.ts'

const servers: Server[] = []
const opened: BrokerConnections[] = []
afterEach(() => {
  for (const connections of opened.splice(0)) connections.close()
  for (const server of servers.splice(0)) server.close()
})

/** A server that gets the requests of a client: their API, and their number. */
async function broker(answer: (socket: Socket, api: number, number: number) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => answer(socket, data.readInt16BE(4), data.readInt32BE(8)))
  })
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return (server.address() as AddressInfo).port // it listens on a port
}

function connectionsTo(...allowed: string[]): BrokerConnections {
  const connections = brokerConnections(
    'test',
    {},
    createHostCheck({ allowed, own: [] }, async () => ['10.0.0.1']),
  )
  opened.push(connections)
  return connections
}

const versions = {
  key: 18,
  version: 3,
  isFirstHeader: true,
  create: () => apiVersionsV3.createRequest('test', '1'),
  parse: apiVersionsV3.parseResponse,
}

function respond(socket: Socket, number: number, body: Writer): void {
  socket.write(Writer.create().appendInt32(number).appendFrom(body).prependLength().buffer)
}

/** Answers the first questions of a client as a broker whose cluster consists of one other host. */
const clusterWith = (host: string) =>
  broker((socket, api, number) => {
    if (api === 18) {
      const body = Writer.create()
        .appendInt16(0)
        .appendArray([1, 11], (writer, key) => writer.appendInt16(key).appendInt16(0).appendInt16(17))
        .appendInt32(0)
        .appendTaggedFields()
      return respond(socket, number, body)
    }
    const body = Writer.create()
      .appendTaggedFields()
      .appendInt32(0)
      .appendArray([host], (writer, name) =>
        writer.appendInt32(1).appendString(name).appendInt32(9092).appendString(null),
      )
      .appendString('cluster')
      .appendInt32(1)
      .appendArray(['events'], (writer, name) =>
        writer
          .appendInt16(0)
          .appendString(name)
          .appendUUID('00000000-0000-4000-8000-000000000001')
          .appendBoolean(false)
          .appendArray([0], (inner) =>
            inner
              .appendInt16(0)
              .appendInt32(0)
              .appendInt32(1)
              .appendInt32(0)
              .appendArray([], () => undefined)
              .appendArray([], () => undefined)
              .appendArray([], () => undefined),
          )
          .appendInt32(0),
      )
      .appendTaggedFields()
    return respond(socket, number, body)
  })

test.each(['169.254.169.254', '127.0.0.2', 'localhost', 'metadata.internal', '::1'])(
  'a cluster cannot lead to %s',
  async (host) => {
    const connections = connectionsTo('127.0.0.1')
    const cluster = clusterOf([{ host: '127.0.0.1', port: await clusterWith(host) }], connections)
    const topic = await cluster.topic('events')
    expect(topic.leaders[0]).toMatchObject({ host })
    await expect(cluster.offsets(topic, -1)).rejects.toThrow(/private or reserved address/)
  },
)

test('a response of half a gigabyte is refused by its length', async () => {
  const port = await broker((socket) => socket.write(Buffer.from([0x20, 0, 0, 0, 1, 2, 3])))
  await expect(connectionsTo('127.0.0.1').send({ host: '127.0.0.1', port }, 'test', versions)).rejects.toThrow(
    'a response of 536870912 bytes is larger than the limit',
  )
})

test('a server that is no broker is named', async () => {
  const port = await broker((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await expect(connectionsTo('127.0.0.1').send({ host: '127.0.0.1', port }, 'test', versions)).rejects.toThrow(
    'not a Kafka broker',
  )
})

test('a response that never ends has a time limit', async () => {
  const port = await broker((socket) => {
    socket.write(Buffer.from([0, 0, 1, 0, 0, 0, 0, 1]))
    const timer = setInterval(() => socket.write(Buffer.alloc(1)), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const connections = connectionsTo('127.0.0.1')
  await expect(connections.send({ host: '127.0.0.1', port }, 'test', versions, 200)).rejects.toThrow(
    'no response in 0.2 seconds',
  )
})

test('nothing decompresses beyond its limit', () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 ** 2))
  expect(bomb.length).toBeLessThan(100_000)
  expect(() => decompress(1, bomb, 2 ** 20)).toThrow('larger than 1 MiB when decompressed')
  // Snappy and LZ4 state their sizes: these claim gigabytes.
  expect(() => decompress(2, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0]), 2 ** 20)).toThrow('larger than 1 MiB')
  const lz4 = Buffer.alloc(1_000_000)
  lz4.set([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0])
  for (let at = 7; at + 60_004 < lz4.length; at += 60_004) lz4.writeUInt32LE(60_000, at)
  expect(() => decompress(3, lz4, 2 ** 20)).toThrow('larger than 1 MiB')
  expect(() => decompress(4, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xf8, 0]), 2 ** 20)).toThrow('larger than 1 MiB')
  expect(() => decompress(7, bomb, 2 ** 20)).toThrow('unknown')
  expect(() => decompress(1, Buffer.from('nothing'), 2 ** 20)).toThrow('damaged')
})
