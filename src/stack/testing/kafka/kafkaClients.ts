/** Clients of the broker of tests. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  addPartitionsToTxnV5,
  Admin,
  createAclsV3,
  createPartitionsV3,
  deleteRecordsV2,
  endTxnV4,
  findCoordinatorV4,
  initProducerIdV4,
  listOffsetsV8,
  metadataV12,
  Producer,
  produceV9,
  type Connection,
} from '@platformatic/kafka'
import type { KafkaProcess } from './kafkaProcess.ts'

/** The address of a broker. */
export type KafkaAddress = Pick<KafkaProcess, 'port' | 'brokers'>

export interface TestKafka<Server extends KafkaAddress = KafkaProcess> {
  readonly server: Server
  admin<T>(work: (admin: Admin) => Promise<T>): Promise<T>
  createTopic(name: string, partitions: number, configs?: Readonly<Record<string, string>>): Promise<void>
  /** @param count of partitions with the new one */
  addPartition(topic: string, count: number): Promise<void>
  /** Deletes the records of partition 0 before an offset, as the retention of a broker does. */
  deleteRecords(topic: string, before: number): Promise<void>
  /** Denies a user to read a topic. The broker needs an authorizer. */
  denyRead(topic: string, principal: string): Promise<void>
  /** Produces a record to partition 0 in a transaction, and aborts it. */
  abort(topic: string, value: string): Promise<void>
  produce(topic: string, records: readonly ProducedRecord[], options?: { compression?: Compression }): Promise<void>
}

interface ProducedRecord {
  partition: number
  key?: string
  value: string | Buffer
  headers?: Record<string, string>
  timestamp?: number
}

type Compression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd'

/** Repeats what fails while the broker prepares itself. */
async function retried<T>(work: () => Promise<T>, attempts = 100): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (attempts === 0) throw error
    await wait(100)
    return retried(work, attempts - 1)
  }
}

/** @param server may be restarted */
export function kafkaClients<Server extends KafkaAddress>(server: () => Server): TestKafka<Server> {
  const connection = () => ({ clientId: 'test', bootstrapBrokers: [`127.0.0.1:${server().port}`], retries: 20 })
  const admin: TestKafka['admin'] = async (work) => {
    const client = new Admin({ ...connection(), retryDelay: 200 })
    try {
      return await work(client)
    } finally {
      await client.close()
    }
  }
  /** Works with a connection to the one broker. */
  async function onBroker<T>(work: (broker: Connection) => Promise<T>): Promise<T> {
    return admin(async (client) => {
      const [broker] = (await client.connectToBrokers()).values()
      if (!broker) throw new Error('the cluster has no broker')
      return work(broker)
    })
  }
  return {
    get server() {
      return server()
    },
    admin,
    async createTopic(name, partitions, configs = {}) {
      const topicConfigs = Object.entries(configs).map(([config, value]) => ({ name: config, value }))
      await admin((client) => client.createTopics({ topics: [name], partitions, replicas: 1, configs: topicConfigs }))
    },
    async addPartition(name, count) {
      await admin(async (client) => {
        const [connection] = (await client.connectToBrokers()).values()
        if (connection)
          await createPartitionsV3.api.async(
            connection,
            [{ name, count, assignments: [{ brokerIds: [1] }] }],
            10_000,
            false,
          )
      })
    },
    async deleteRecords(name, before) {
      await admin(async (client) => {
        const [connection] = (await client.connectToBrokers()).values()
        const partitions = [{ partitionIndex: 0, offset: BigInt(before) }]
        if (connection) await deleteRecordsV2.api.async(connection, [{ name, partitions }], 10_000)
      })
    },
    async denyRead(topic, principal) {
      const rule = { resourceType: 2, resourceName: topic, resourcePatternType: 3, principal, host: '*' }
      await onBroker((broker) => createAclsV3.api.async(broker, [{ ...rule, operation: 3, permissionType: 2 }]))
    },
    async abort(topic, value) {
      await onBroker((broker) => abortTransaction(broker, topic, value))
    },
    async produce(topic, records, { compression = 'none' } = {}) {
      await onBroker((broker) => untilLeading(broker, topic))
      // Each record once, although the broker may be killed before it answers.
      const producer = new Producer({ ...connection(), retries: 200, retryDelay: 200, idempotent: true })
      try {
        for (let from = 0; from < records.length; from += 10_000) {
          const messages = records.slice(from, from + 10_000).map((record) => messageOf(topic, record))
          await producer.send({ messages, acks: -1, compression })
        }
      } finally {
        await producer.close()
      }
    },
  }
}

/**
 * Waits until the broker leads all partitions of a topic. Before, it answers a producer with a tagged field that the client
 * misreads (`Out of bounds`).
 */
async function untilLeading(broker: Connection, topic: string): Promise<void> {
  await retried(async () => {
    const { topics } = await metadataV12.api.async(broker, [topic], false, false)
    const partitions = topics.flatMap(({ partitions }) => partitions).map(({ partitionIndex }) => partitionIndex)
    const latest = (partitionIndex: number) => ({ partitionIndex, currentLeaderEpoch: -1, timestamp: -1n })
    await listOffsetsV8.api.async(broker, -1, 0, [{ name: topic, partitions: partitions.map(latest) }])
  })
}

/** Produces a record in a transaction, and aborts it. */
async function abortTransaction(broker: Connection, topic: string, value: string): Promise<void> {
  // The first transaction makes the broker create the topic of its coordinator.
  const { producerId, producerEpoch } = await retried(async () => {
    await findCoordinatorV4.api.async(broker, 1, [topic])
    return initProducerIdV4.api.async(broker, topic, 60_000, -1n, -1)
  })
  const transaction = { transactionalId: topic, producerId, producerEpoch, verifyOnly: false }
  await addPartitionsToTxnV5.api.async(broker, [{ ...transaction, topics: [{ name: topic, partitions: [0] }] }])
  await produceV9.api.async(broker, -1, 10_000, [{ topic, partition: 0, value: Buffer.from(value) }], {
    transactionalId: topic,
    producerId,
    producerEpoch,
  })
  await endTxnV4.api.async(broker, topic, producerId, producerEpoch, false)
}

function messageOf(topic: string, { key, value, headers, timestamp, partition }: ProducedRecord) {
  return {
    topic,
    partition,
    ...(key !== undefined && { key: Buffer.from(key) }),
    value: Buffer.from(value),
    ...(headers && {
      headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
    }),
    ...(timestamp !== undefined && { timestamp: BigInt(timestamp) }),
  }
}
