/** Child processes of tests. */
import type { ChildProcess } from 'node:child_process'
import { on } from 'node:events'

/**
 * The environment of this process for one that has an engine of its own: without the proxy that a stack in this process may
 * have set for its own engine.
 */
export function engineEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(https?|all)_proxy$/i.test(name)))
}

/** The first message of a type. Rejects if the process exits before. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look at whatever came
export async function messageOf(child: ChildProcess, type: string): Promise<any> {
  const ended = new AbortController()
  const end = (code: number | null) =>
    ended.abort(new Error(`the process ended with ${String(code)} before it was ${type}`))
  child.once('exit', end)
  try {
    for await (const [message] of on(child, 'message', { signal: ended.signal })) {
      if (message.type === type) return message
    }
  } catch (error) {
    throw ended.signal.reason ?? error
  } finally {
    child.off('exit', end)
  }
}
