/** Clients of the broker of tests. */
import { Admin, createPartitionsV3, deleteRecordsV2, Producer } from '@platformatic/kafka'
import type { KafkaProcess } from './kafkaProcess.ts'

export interface TestKafka {
  readonly server: KafkaProcess
  admin<T>(work: (admin: Admin) => Promise<T>): Promise<T>
  createTopic(name: string, partitions: number, configs?: Readonly<Record<string, string>>): Promise<void>
  /** @param count of partitions with the new one */
  addPartition(topic: string, count: number): Promise<void>
  /** Deletes the records of partition 0 before an offset, as the retention of a broker does. */
  deleteRecords(topic: string, before: number): Promise<void>
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

/** @param server may be restarted */
export function kafkaClients(server: () => KafkaProcess): TestKafka {
  const connection = () => ({ clientId: 'test', bootstrapBrokers: [`127.0.0.1:${server().port}`], retries: 20 })
  const admin: TestKafka['admin'] = async (work) => {
    const client = new Admin({ ...connection(), retryDelay: 200 })
    try {
      return await work(client)
    } finally {
      await client.close()
    }
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
    async produce(topic, records, { compression = 'none' } = {}) {
      // Each record once, although the broker may be killed before it answers.
      const producer = new Producer({ ...connection(), retries: 200, retryDelay: 200, idempotent: true })
      try {
        for (let from = 0; from < records.length; from += 10_000) {
          const messages = records.slice(from, from + 10_000).map(({ key, value, headers, timestamp, ...one }) => ({
            topic,
            ...one,
            ...(key !== undefined && { key: Buffer.from(key) }),
            value: Buffer.from(value),
            ...(headers && {
              headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
            }),
            ...(timestamp !== undefined && { timestamp: BigInt(timestamp) }),
          }))
          await producer.send({ messages, acks: -1, compression })
        }
      } finally {
        await producer.close()
      }
    },
  }
}
