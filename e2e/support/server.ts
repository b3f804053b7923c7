/**
 * Starts the product as `npm start` does, once for each parallel test group, with empty data directories, and records
 * its output.
 */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPage } from '../../src/server/build.ts'
import { bundleServers } from '../../src/server/bundle.js'
import { startKinesis, type KinesisServer } from '../../src/stack/testing/streams/kinesisServer.ts'
import { kinesisPort, stacks, type TestedStack } from './environment.ts'
import { answers, startProduct } from './product.ts'

const servers: ChildProcess[] = []
let kinesis: KinesisServer | undefined
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0))

const root = join(import.meta.dirname, '../..')
const [server] = await Promise.all([
  startKinesis(kinesisPort),
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
}

function start(stack: TestedStack): ChildProcess {
  const server = startProduct(stack)
  server.on('exit', (code) => end(code ?? 1))
  return server
}
