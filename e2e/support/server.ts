/**
 * Starts the product as `npm start` does, once for each parallel test group, with empty data directories, and records
 * its output.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPage } from '../../src/server/build.ts'
import { bundleServers } from '../../src/server/bundle.js'
import { startKafka, type KafkaProcess } from '../../src/stack/testing/kafka/kafkaProcess.ts'
import { brokerFile, brokerFolder, stacks, type TestedStack } from './environment.ts'
import { answers, startProduct } from './product.ts'

const servers: ChildProcess[] = []
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0))

const root = join(import.meta.dirname, '../..')
const broker = startBroker()
await Promise.all([buildPage(root, console.log), bundleServers(root, console.log), broker])
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
  void broker.then((running) => running.stop())
}

/** The Kafka broker of all stacks. Its address is in a file. */
async function startBroker(): Promise<KafkaProcess> {
  rmSync(brokerFolder, { recursive: true, force: true })
  mkdirSync(brokerFolder, { recursive: true })
  const running = await startKafka(brokerFolder)
  writeFileSync(brokerFile, running.brokers)
  return running
}

function start(stack: TestedStack): ChildProcess {
  const server = startProduct(stack)
  server.on('exit', (code) => end(code ?? 1))
  return server
}
