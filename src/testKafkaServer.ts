/**
 * One Kafka broker for the specs that neither kill nor configure theirs. It starts when the first of them asks for its port
 * (`stack/testing/kafka/testKafka.ts`): the start of a broker takes as much processor time as most of these specs.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveClasspath, startKafka, type KafkaProcess } from '#stack/testing/kafka/kafkaProcess.ts'
import { kafkaVariable, type Offer } from '#stack/testing/kafka/testKafka.ts'

export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'specs-kafka-'))
  let broker: Promise<KafkaProcess> | undefined
  const offers: Record<Offer, () => Promise<string>> = {
    port: async () => String((await (broker ??= startKafka(folder))).port),
    classpath: resolveClasspath,
  }
  const server = createServer((request, response) => {
    const offer = request.url === '/classpath' ? 'classpath' : 'port'
    offers[offer]().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // it listens on a port
  process.env[kafkaVariable] = `http://127.0.0.1:${port}/`
  return async () => {
    delete process.env[kafkaVariable]
    server.closeAllConnections()
    server.close()
    await broker?.then(
      ({ stop }) => stop(),
      () => undefined,
    )
    await rm(folder, { recursive: true, force: true })
  }
}
