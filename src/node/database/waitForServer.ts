/** Waits at a start until a database server that restarts responds, and logs that. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerUnreachable } from './storeError.ts'

export interface ServerWait {
  seconds: number
  /** Called once, when the wait begins. */
  say(line: string): unknown
  /** Milliseconds between two attempts. */
  every?: number
}

const noWait: ServerWait = { seconds: 0, say: () => {} }

/**
 * Repeats an attempt to open a database while its server cannot be reached or is starting. What a wait cannot change, such as
 * a wrong password, is reported at once.
 * @throws the error of the last attempt
 */
export async function waitForServer<T>(open: () => Promise<T>, wait: ServerWait = noWait): Promise<T> {
  const { seconds, say, every = 500 } = wait
  const until = performance.now() + seconds * 1000
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open()
    } catch (error) {
      const reason = unreachable(error)
      if (!reason || performance.now() >= until) throw error
      if (attempt === 1) say(`${reason.message} Waiting up to ${seconds} seconds for it.`)
      await sleep(every)
    }
  }
}

function unreachable(error: unknown): ServerUnreachable | undefined {
  if (error instanceof ServerUnreachable) return error
  return error instanceof Error && error.cause instanceof ServerUnreachable ? error.cause : undefined
}
