/** Kafka for tests: the broker of all specs, or one of one spec. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { kafkaClients, type KafkaAddress, type TestKafka } from './kafkaClients.ts'
import { startKafka, type KafkaOptions, type KafkaProcess } from './kafkaProcess.ts'

/** Has the address at which `src/testKafkaServer.ts` answers. */
export const kafkaVariable = 'TEST_KAFKA'

/** The answers of `src/testKafkaServer.ts`: `port` is that of the broker of all specs, `classpath` the jars of any broker. */
export type Offer = 'port' | 'classpath'

async function take(offer: Offer): Promise<string> {
  const server = process.env[kafkaVariable]
  if (server === undefined) throw new Error('Only specs that Vitest starts get a Kafka broker.')
  const response = await fetch(new URL(offer, server))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/**
 * The broker of all specs, which nobody may stop, kill or configure. Topics have names that no other spec uses. Call this
 * outside of the tests: the broker is available once they run.
 */
export function sharedKafka(): TestKafka<KafkaAddress> {
  let address: KafkaAddress
  beforeAll(async () => {
    const port = await take('port')
    address = { port: Number(port), brokers: `PLAINTEXT://127.0.0.1:${port}` }
  }, 180_000)
  return kafkaClients(() => address)
}

/**
 * A broker of its own, for a spec that stops, kills or configures it. Call this outside of the tests: the broker is available
 * once they run.
 */
export function ownKafka(options: KafkaOptions = {}): TestKafka {
  let server: KafkaProcess
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stack-kafka-'))
    // Resolved once for all specs, not by each of those that start at the same time.
    await take('classpath')
    server = await startKafka(folder, options)
  }, 180_000)
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return kafkaClients(() => server)
}
