/**
 * Checks the key of every request of the managed variant: found by the hash of its ID, the secret compared in constant time,
 * then its state, expiry and allowed addresses. Keys are stored as hashes.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { currentTime } from '#node/clock/wallClock.ts'
import { Refusal } from '../refusal.ts'
import type { Identity } from '../store/identity.ts'
import type { Store } from '../store/store.ts'
import { isListed } from './addresses.ts'
import type { Caller } from './caller.ts'
import { hashOf, isExpired, keyByHash, writeKeyUse } from './keyRows.ts'
import { policiesOf, rolesById } from './roleRows.ts'

const minute = 60_000

interface Presented {
  keyId: string
  keySecret: string
  address: string
  userAgent: string
}

export interface KeyGate {
  /** @throws Refusal 401 or 403 with the reason */
  admit(presented: Presented, logger: FastifyBaseLogger): Promise<Caller>
  /** Waits for uses that are being stored. */
  close(): Promise<void>
}

export function createKeyGate(store: Store, identity: Identity): KeyGate {
  /** The minute of the last use that was stored, by key. */
  const stored = new Map<string, number>()
  const writes = new Set<Promise<void>>()

  function noteUse(id: string, logger: FastifyBaseLogger): void {
    const at = Math.floor(currentTime() / minute) * minute
    if (stored.get(id) === at) return
    stored.set(id, at)
    // Requests do not wait for it, and none fails because of it.
    const write = writeKeyUse(store, id, at)
      .catch((error: unknown) => {
        stored.delete(id)
        logger.warn({ err: error }, 'the last use of an API key was not stored')
      })
      .finally(() => writes.delete(write))
    writes.add(write)
  }

  return {
    async admit({ keyId, keySecret, address, userAgent }, logger) {
      const key = await keyByHash(store, hashOf(keyId))
      // An unknown ID takes as long as a wrong secret.
      const same = sameHash(hashOf(keySecret), key?.keySecretHash ?? hashOf(''))
      if (!key || !same) throw new Refusal(401, 'Invalid credentials')
      if (key.state !== 'enabled') throw new Refusal(401, 'This API key is disabled')
      if (isExpired(key, currentTime())) throw new Refusal(401, `This API key expired at ${key.expireAt}`)
      if (!isListed(key.ipAccessList, address)) {
        throw new Refusal(403, `The IP access list of this API key does not have the address ${address}`)
      }
      noteUse(key.id, logger)
      const roles = await rolesById(store, identity)
      const { organizationId } = identity
      return { key, policies: policiesOf(roles, key.assignedRoleIds), organizationId, address, userAgent }
    },

    async close() {
      await Promise.all(writes)
    },
  }
}

function sameHash(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent, 'base64'), Buffer.from(expected, 'base64')]
  return a.length === b.length && timingSafeEqual(a, b)
}
