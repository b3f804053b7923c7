/** Starts the product as `npm start` does, once for each row of tests, on empty data directories, and keeps what it prints. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { stacks, type TestedStack } from './environment.ts'
import { answers, startProduct } from './product.ts'

const servers: ChildProcess[] = []
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0))

for (const stack of stacks) {
  if (!ending.signal.aborted) servers.push(start(stack))
  // The first one builds the page for all. How long it may take is the test runner's to say.
  while (!ending.signal.aborted && !(await answers(stack))) await sleep(200)
}

/** One without the other is of no use. */
function end(code: number): void {
  if (ending.signal.aborted) return
  ending.abort()
  process.exitCode = code
  for (const server of servers) server.kill('SIGTERM')
}

function start(stack: TestedStack): ChildProcess {
  const server = startProduct(stack)
  server.on('exit', (code) => end(code ?? 1))
  return server
}
