/** The stack's process: reads the environment, starts, reports that it is ready, and stops on a signal. */
import { z } from 'zod'
import { NotStored, UnusableState } from '#node/files/atomicFile.ts'
import { collectGarbageWhenIdle } from '#node/process/idleMemory.ts'
import { ConfigError, readConfig } from '../config.ts'
import { startStack, type RunningStack } from './runningStack.ts'
import { StartFailed } from './startChecks.ts'
import { StoreError } from '#node/database/storeError.ts'
import { EngineError } from '../telemetry/engine/engineError.ts'

/** Milliseconds for a clean exit. After that, only requests that were not acknowledged are lost. */
const shutdownTimeout = 7000

/** Seconds between two heartbeats. */
const beatEvery = 5

/** `StackSupervisor.followKey` sends it. */
const followOrder = z.object({
  type: z.literal('followKey'),
  pair: z.object({ keyId: z.string(), keySecret: z.string() }),
})

// Every new file is for this user only: keys, records, telemetry.
process.umask(0o077)

let stack: RunningStack | undefined
startHeartbeats()

try {
  stack = await startStack(readConfig(process.env), {
    onCredentials: (credentials) => tell({ type: 'credentials', credentials }),
    onOpened: (opened) => tell({ type: 'opened', ...opened }),
  })
  stopOnSignal(stack)
  collectGarbageWhenIdle()
  followKeys(stack)
  process.send?.({ type: 'ready', credentials: stack.credentials, ports: stack.ports })
} catch (error) {
  process.stderr.write(`${messageFor(error)}\n`)
  process.exit(1)
}

/** The process that started this one tells of a key that its connections use from now on. The answer is `credentials`. */
function followKeys(stack: RunningStack): void {
  process.on('message', (message) => {
    const order = followOrder.safeParse(message)
    if (!order.success) return
    stack.followKey(order.data.pair).catch((error: unknown) => {
      process.stderr.write(`The new API key could not be stored: ${String(error)}\n`)
    })
  })
}

/** Sends heartbeats to the process that started this one, which restarts the stack at once if its engine has stopped. */
function startHeartbeats(): void {
  let turns = 0
  setInterval(() => {
    const type = stack?.isAlive() === false ? 'engineStopped' : 'beat'
    // A message costs more than a look: at rest, one a second was a tenth of what the process did.
    if (type === 'beat' && turns++ % beatEvery !== 0) return
    tell({ type })
  }, 1000).unref()
}

/** Sends a message to the process that started this one, if there is one. */
function tell(message: object): void {
  // A closed or full channel is not an error.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

function stopOnSignal(stack: RunningStack): void {
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(1), shutdownTimeout).unref()
    await stack.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => void end())
}

/** One line for problems that people can fix; the stack trace for everything else. */
function messageFor(error: unknown): string {
  const known = [ConfigError, StartFailed, StoreError, UnusableState, EngineError, NotStored].some(
    (kind) => error instanceof kind,
  )
  if (known && error instanceof Error) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
