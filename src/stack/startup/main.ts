/** The stack's process: reads the environment, starts, says when it is ready, and ends when it is told to. */
import { NotStored } from '#node/atomicFile.ts'
import { ConfigError, readConfig } from '../config.ts'
import { StartFailed, startStack, type RunningStack } from './stack.ts'
import { StoreError } from '../store/storeError.ts'
import { EngineError } from '../telemetry/engineError.ts'

/** Milliseconds for ending; whatever is not done then is cut off, and only what was not acknowledged is lost. */
const lastPatience = 7000

// Every file that is made here is for this user alone: keys, records, telemetry.
process.umask(0o077)

beat()

try {
  const stack = await startStack(readConfig(process.env))
  endWhenTold(stack)
  process.send?.({ type: 'ready', credentials: stack.credentials, ports: stack.ports })
} catch (error) {
  process.stderr.write(`${sentence(error)}\n`)
  process.exit(1)
}

/** Tells whoever started this process, if that listens, that it has not come to a standstill. */
function beat(): void {
  setInterval(() => {
    // A channel that is closed, or full because nobody reads it, is no reason to fail.
    if (process.connected) process.send?.({ type: 'beat' }, undefined, undefined, () => undefined)
  }, 1000).unref()
}

function endWhenTold(stack: RunningStack): void {
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(1), lastPatience).unref()
    await stack.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => void end())
}

/** What a person can fix in one line; anything else with its stack, since it is a fault of ours. */
function sentence(error: unknown): string {
  const known = [ConfigError, StartFailed, StoreError, EngineError, NotStored].some((kind) => error instanceof kind)
  if (known && error instanceof Error) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
