/** Brokers that nobody should trust. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { apiVersionsV3, Writer } from '@platformatic/kafka'
import { compressFrameSync } from 'lz4-napi'
import { afterEach, expect, test } from 'vitest'
import { createHostCheck } from '../../net/reachableHosts.ts'
import { BrokerConnections } from './brokerConnections.ts'
import { Cluster } from './cluster.ts'
import { decompress } from './recordBatches.ts'

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
  const connections = new BrokerConnections(
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

/** A cluster as one broker describes it: where its only other broker is, which coordinates groups, and its partitions. */
interface Described {
  host: string
  port?: number
  partitions?: readonly number[]
}

/** Answers as a broker of such a cluster. */
const clusterWith = ({ host, port = 9092, partitions = [0] }: Described) =>
  broker((socket, api, number) => {
    if (api === 18) {
      const body = Writer.create()
        .appendInt16(0)
        .appendArray([1, 11], (writer, key) => writer.appendInt16(key).appendInt16(0).appendInt16(17))
        .appendInt32(0)
        .appendTaggedFields()
      return respond(socket, number, body)
    }
    if (api === 10) {
      const body = Writer.create()
        .appendTaggedFields()
        .appendInt32(0)
        .appendArray(['group'], (writer, name) =>
          writer
            .appendString(name)
            .appendInt32(1)
            .appendString(host)
            .appendInt32(port)
            .appendInt16(0)
            .appendString(null),
        )
        .appendTaggedFields()
      return respond(socket, number, body)
    }
    const body = Writer.create()
      .appendTaggedFields()
      .appendInt32(0)
      .appendArray([host], (writer, name) =>
        writer.appendInt32(1).appendString(name).appendInt32(port).appendString(null),
      )
      .appendString('cluster')
      .appendInt32(1)
      .appendArray(['events'], (writer, name) =>
        writer
          .appendInt16(0)
          .appendString(name)
          .appendUUID('00000000-0000-4000-8000-000000000001')
          .appendBoolean(false)
          .appendArray([...partitions], (inner, partition) =>
            inner
              .appendInt16(0)
              .appendInt32(partition)
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

const clusterAt = (port: number) => new Cluster([{ host: '127.0.0.1', port }], connectionsTo('127.0.0.1'))

test.each(['127.0.0.2', 'localhost', 'metadata.internal', '::1', '::ffff:127.0.0.2', '64:ff9b::7f00:2', '2130706434'])(
  'a cluster that names its broker %s leads to no connection',
  async (host) => {
    let connections = 0
    const listener = createServer(() => connections++)
    servers.push(listener)
    await new Promise<void>((ready) => listener.listen(0, '::', ready))
    const { port } = listener.address() as AddressInfo // it listens on a port
    const cluster = clusterAt(await clusterWith({ host, port }))
    const topic = await cluster.topic('events')
    expect(topic.leaders[0]).toMatchObject({ host, port })
    await expect(cluster.offsets(topic, -1)).rejects.toThrow(/private or reserved address/)
    const coordinator = await cluster.coordinator('group')
    expect(coordinator).toEqual({ host, port })
    await expect(cluster.connections.send(coordinator, 'group', versions)).rejects.toThrow(/private or reserved/)
    expect(connections).toBe(0)
  },
)

test.each(['169.254.169.254', '100.100.100.200', '10.0.0.1', '[fd00:ec2::254]'])(
  'a cluster cannot lead to %s',
  async (host) => {
    const cluster = clusterAt(await clusterWith({ host }))
    await expect(cluster.offsets(await cluster.topic('events'), -1)).rejects.toThrow(/private or reserved address/)
  },
)

test.each([
  ['far beyond the others', [0, 2 ** 31 - 1]],
  ['of a single one', [2 ** 31 - 1]],
  ['below zero', [0, -1]],
])('a partition number %s is refused before anything goes through all numbers', async (_, partitions) => {
  const cluster = clusterAt(await clusterWith({ host: '127.0.0.1', partitions }))
  await expect(cluster.topic('events')).rejects.toThrow(/the cluster names partition -?\d+ of events, which has \d/)
})

test('metadata larger than that of any topic is refused by its length', async () => {
  const port = await broker((socket) => socket.write(Buffer.from([0, 0x80, 0, 1])))
  await expect(clusterAt(port).topic('events')).rejects.toThrow('a response of 8388609 bytes is larger than the limit')
})

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
  // Snappy states its size: this claims gigabytes.
  expect(() => decompress(2, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0]), 2 ** 20)).toThrow('larger than 1 MiB')
  const lz4 = compressFrameSync(Buffer.alloc(50 * 1024 ** 2))
  expect(() => decompress(3, lz4, 2 ** 20)).toThrow('larger than 1 MiB')
  // Ten blocks of 128 KiB, each of which repeats one byte.
  const block = Buffer.from([0x02, 0, 0x10, 0x61])
  const zstd = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]), ...Array<Buffer>(9).fill(block)])
  expect(() => decompress(4, Buffer.concat([zstd, Buffer.from([3, 0, 0x10, 0x61])]), 2 ** 20)).toThrow(
    'larger than 1 MiB',
  )
  expect(() => decompress(7, bomb, 2 ** 20)).toThrow('unknown')
  expect(() => decompress(1, Buffer.from('nothing'), 2 ** 20)).toThrow('damaged')
})
