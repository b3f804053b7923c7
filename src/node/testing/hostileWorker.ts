/** A worker that does what its task says: to test that the process around it contains it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'

const port = parentPort
if (!port) throw new TypeError('hostileWorker.ts runs in a worker')

const kept: unknown[] = []

/** @returns the answer to the task, if it ends */
async function attempt(task: string): Promise<unknown> {
  switch (task) {
    case 'loop':
      for (;;) kept.length = 0
    case 'objects':
      for (;;) kept.push({ at: kept.length })
    case 'texts':
      for (let text = 'x'.repeat(1000); ; text += text) kept.push(text.replaceAll('x', 'y'))
    case 'buffers':
      for (;;) {
        kept.push(Buffer.alloc(8_000_000, 1))
        await sleep(1)
      }
    case 'wait':
      await sleep(300)
      return task
    case 'exit':
      process.exit(0)
    case 'throw':
      throw new Error('a fault in the program')
    case 'environment':
      return { ...process.env }
    default:
      return task
  }
}

port.on('message', (task: string) => void attempt(task).then((answer) => port.postMessage({ answer })))
port.postMessage('ready')
