/** The ingestion key, and earlier ones that are still accepted. */
import { randomUUID } from 'node:crypto'
import { currentTime } from '#node/clock/wallClock.ts'
import { Refusal, refuse } from '../refusal.ts'
import { requireIdentity, writeIdentity, type Identity } from '../store/identity.ts'
import type { Queries } from '../store/store.ts'
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
