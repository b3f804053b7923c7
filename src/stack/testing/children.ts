/** Processes that tests start. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** What the process says first. Rejects when it ends before it says anything. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever came
export async function firstMessage(child: ChildProcess): Promise<any[]> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${String(code)} before it was ready`)
  })
  return Promise.race([once(child, 'message'), ended])
}
