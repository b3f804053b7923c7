/**
 * The ingestion key, and earlier ones that are still accepted; and the stack's own keys as they are now, for those who
 * use them as long as the process runs.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { currentTime } from '#node/clock/wallClock.ts'
import { Refusal, refuse } from '../refusal.ts'
import { requireIdentity, writeIdentity, type Identity, credentialsOf, type Credentials } from '../store/identity.ts'
import type { Queries, Store } from '../store/store.ts'
import { keyId, keyReplaced } from './keyDigest.ts'

/** A key that the collector accepts. */
export interface AcceptedKey {
  key: string
  /** Epoch milliseconds. Default: no end. */
  validUntil?: number
}

interface IngestionKeys {
  key: string
  createdAt: string
  previous: NonNullable<Identity['ingestionRotation']>['previous']
}

/** Keys that may be valid at the same time, besides the current one. */
const maxPrevious = 10

/** The keys that are valid now. */
export function ingestionKeysOf(identity: Identity, now = currentTime()): IngestionKeys {
  const { createdAt, previous } = identity.ingestionRotation ?? { createdAt: identity.createdAt, previous: [] }
  const valid = previous.filter(({ validUntil }) => Date.parse(validUntil) > now)
  return { key: identity.ingestionKey, createdAt, previous: valid }
}

/** Replaces the key. The old one stays valid for the overlap. */
export async function rotateIngestionKey(
  queries: Queries,
  { keyId: expected, overlapMinutes }: { keyId?: string | undefined; overlapMinutes: number },
  now = currentTime(),
): Promise<string> {
  const identity = await requireIdentity(queries)
  const { key, createdAt, previous } = ingestionKeysOf(identity, now)
  if (expected !== undefined && expected !== keyId(key)) throw new Refusal(409, keyReplaced)
  const validUntil = new Date(now + overlapMinutes * 60_000).toISOString()
  const kept = overlapMinutes > 0 ? [{ key, createdAt, validUntil }, ...previous] : previous
  if (kept.length > maxPrevious) {
    throw refuse(`At most ${maxPrevious} earlier keys can be valid at the same time. End their overlap first.`)
  }
  const ingestionKey = randomUUID()
  const ingestionRotation = { createdAt: new Date(now).toISOString(), previous: kept }
  await writeIdentity(queries, { ...identity, ingestionKey, ingestionRotation })
  return ingestionKey
}

/** Ends the overlap: only the current key is valid from now on. */
export async function endOverlap(queries: Queries): Promise<void> {
  const identity = await requireIdentity(queries)
  const { createdAt } = ingestionKeysOf(identity)
  await writeIdentity(queries, { ...identity, ingestionRotation: { createdAt, previous: [] } })
}

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
  const old = previous.map(({ key, validUntil }) => ({ key, validUntil: Date.parse(validUntil) }))
  return { credentials: credentialsOf(identity), accepted: [{ key }, ...old] }
}
