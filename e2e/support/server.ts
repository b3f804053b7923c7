/**
 * Starts the product as `npm start` does, once for each parallel test group, with empty data directories, and records
 * its output.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Admin } from '@platformatic/kafka'
import { buildPage } from '../../src/server/build.ts'
import { bundleServers } from '../../src/server/bundle.js'
import { startKafka, type KafkaProcess } from '../../src/stack/testing/kafka/kafkaProcess.ts'
import { startKinesis, type KinesisServer } from '../../src/stack/testing/streams/kinesisServer.ts'
import {
  brokerFile,
  brokerFolder,
  brokerUser,
  kinesisPort,
  plainBrokerFile,
  stacks,
  type TestedStack,
} from './environment.ts'
import { answers, startProduct } from './product.ts'

const scramListener = {
  'listener.name.signed_in.scram-sha-512.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
}
const servers: ChildProcess[] = []
let kinesis: KinesisServer | undefined
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0))

const root = join(import.meta.dirname, '../..')
const broker = startBroker()
const [server] = await Promise.all([
  startKinesis(kinesisPort),
  broker,
  buildPage(root, console.log),
  bundleServers(root, console.log),
])
kinesis = server
if (ending.signal.aborted) await kinesis.stop()
// The runner waits for the last stack, which starts when the others are ready.
await Promise.all(stacks.slice(0, -1).map(startAndWait))
await Promise.all(stacks.slice(-1).map(startAndWait))

async function startAndWait(stack: TestedStack): Promise<void> {
  if (!ending.signal.aborted) servers.push(start(stack))
  // The runner has the timeout.
  while (!ending.signal.aborted && !(await answers(stack))) await sleep(200)
}

/** One without the other is of no use. */
function end(code: number): void {
  if (ending.signal.aborted) return
  ending.abort()
  process.exitCode = code
  for (const server of servers) server.kill('SIGTERM')
  void kinesis?.stop()
  void broker.then((running) => running.stop())
}

/** The Kafka broker of all stacks. Its address is in a file. */
async function startBroker(): Promise<KafkaProcess> {
  rmSync(brokerFolder, { recursive: true, force: true })
  mkdirSync(brokerFolder, { recursive: true })
  const running = await startKafka(brokerFolder, {
    listeners: { SIGNED_IN: 'SASL_PLAINTEXT' },
    properties: { 'sasl.enabled.mechanisms': 'SCRAM-SHA-512', ...scramListener },
    scram: [`SCRAM-SHA-512=[name=${brokerUser.username},password=${brokerUser.password}]`],
  })
  const client = new Admin({ clientId: 'e2e', bootstrapBrokers: [`127.0.0.1:${running.port}`] })
  await client.createTopics({ topics: ['events'], partitions: 4, replicas: 1 })
  await client.close()
  writeFileSync(plainBrokerFile, `127.0.0.1:${running.port}`)
  writeFileSync(brokerFile, `SASL_PLAINTEXT://127.0.0.1:${running.ports['SIGNED_IN']}`)
  return running
}

function start(stack: TestedStack): ChildProcess {
  const server = startProduct(stack)
  server.on('exit', (code) => end(code ?? 1))
  return server
}
