/** A Kafka broker for the tests of one file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { kafkaClients, type TestKafka } from './kafkaClients.ts'
import { startKafka, type KafkaOptions, type KafkaProcess } from './kafkaProcess.ts'

/** Call this outside of the tests. The broker is available once they run. */
export function testKafka(options: KafkaOptions = {}): TestKafka {
  let server: KafkaProcess
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stack-kafka-'))
    server = await startKafka(folder, options)
  }, 120_000)
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return kafkaClients(() => server)
}
