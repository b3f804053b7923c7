/** Topics with generated records, and how a pipe reads them. */
import { randomUUID } from 'node:crypto'
import type { TestKafka } from './kafkaClients.ts'

const partitions = 12

interface Topic {
  topic: string
  records: number
  /** Produced together. Default: 100,000 */
  atOnce?: number
  value(id: number): string | Buffer
}

/** Creates a topic of 12 partitions with as many records. */
export async function fillTopic(clients: TestKafka, { topic, records, atOnce = 100_000, value }: Topic): Promise<void> {
  await clients.createTopic(topic, partitions)
  for (let from = 0; from < records; from += atOnce) {
    await clients.produce(
      topic,
      Array.from({ length: atOnce }, (_, at) => ({ partition: at % partitions, value: value(from + at) })),
    )
  }
}

/** The source of a pipe that reads all of a topic, whoever has read it before. */
export const sourceOf = (brokers: string, topics: string) => ({
  type: 'kafka' as const,
  format: 'JSONEachRow' as const,
  brokers,
  topics,
  authentication: 'PLAIN' as const,
  consumerGroup: randomUUID(),
})
