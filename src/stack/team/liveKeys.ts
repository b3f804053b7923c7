/** The stack's own keys as they are now, for those who use them as long as the process runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { credentialsOf, requireIdentity, type Credentials } from '../store/identity.ts'
import type { Store } from '../store/store.ts'
import { ingestionKeysOf, type AcceptedKey } from './ingestionKeys.ts'

export interface LiveKeys {
  credentials(): Credentials
  /** The keys that the collector accepts. */
  accepted(): readonly AcceptedKey[]
  /** Reads them again. A rotation waits for it, so that it is in effect when it is answered. */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Options {
  store: Store
  logger: Pick<Logger, 'error' | 'warn'>
  /** Called with new keys. It may fail: the next start does the same with the stored keys. */
  onChange: (credentials: Credentials) => void
  /** Milliseconds between reads, if other stacks rotate keys in the same database. */
  every?: number
}

export async function openLiveKeys({ store, logger, onChange, every }: Options): Promise<LiveKeys> {
  const closing = new AbortController()
  let current = await read(store)

  const refresh = async () => {
    const next = await read(store)
    const changed = JSON.stringify(next.credentials) !== JSON.stringify(current.credentials)
    current = next
    if (!changed) return
    try {
      onChange(next.credentials)
    } catch (error) {
      logger.error({ err: error }, 'The new keys could not be written to credentials.json. The next start does it.')
    }
  }
  const poll = async (interval: number) => {
    while (!closing.signal.aborted) {
      await sleep(interval, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) return
      await refresh().catch((error: unknown) => logger.warn({ err: error }, 'The keys could not be read'))
    }
  }
  const polling = every === undefined ? Promise.resolve() : poll(every)

  return {
    credentials: () => current.credentials,
    accepted: () => current.accepted,
    refresh,
    close: async () => {
      closing.abort()
      await polling
    },
  }
}

async function read(store: Store): Promise<{ credentials: Credentials; accepted: readonly AcceptedKey[] }> {
  const identity = await requireIdentity(store)
  const { key, previous } = ingestionKeysOf(identity)
  const old = previous.map((one) => ({ key: one.key, validUntil: Date.parse(one.validUntil) }))
  return { credentials: credentialsOf(identity), accepted: [{ key }, ...old] }
}
