/**
 * The steps of a rotation. Each may be repeated: it looks at what the deployment and the connections have, and does
 * what is missing. So a step that failed, or whose process was killed, is simply carried out again. The gateway makes
 * key IDs and secrets, and the deployment gets their hashes, so that no response has a secret.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createHash, randomInt } from 'node:crypto'
import type { RotationStep } from '#contract/console/apiKeyRotations.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Connections } from '../connections/connections.ts'
import type { KeyPair } from '../connections/connectionSecrets.ts'
import type { OrganizationKeys } from './organizationKeys.ts'
import type { Pairs, RotationDetails } from './rotationStore.ts'

/** The connections to an organization get another key. */
export interface KeyChange {
  baseUrl: string
  organizationId: string
  old: KeyPair
  next: KeyPair
}

export interface StepDependencies {
  details: RotationDetails
  pairs: Pairs
  keys: OrganizationKeys
  connections: Connections
  /** For the local stack, which gives its connections the key of `credentials.json` at each start. */
  follow: (change: KeyChange) => Promise<void>
  /** Milliseconds between attempts, because a deployment may notice a change of a key only after a while. */
  pauses: readonly number[]
}

/** Carries out a step. @returns the details with what it learned @throws ApiFailure with the reason, for people */
export const steps: Record<RotationStep, (parts: StepDependencies) => Promise<RotationDetails>> = {
  async create({ details, pairs, keys }) {
    const { newKey, access } = details
    const old = keys.with(pairs.old)
    // No key had this ending when the rotation began.
    const made = (await old.list()).find(({ name, keySuffix }) => name === newKey.name && keySuffix === newKey.suffix)
    const id =
      made?.id ??
      (await old.create({
        name: newKey.name,
        expireAt: newKey.expireAt,
        ipAccessList: access.ipAccessList,
        ...(access.assignedRoleIds ? { assignedRoleIds: access.assignedRoleIds } : { roles: deprecated(access.roles) }),
        hashData: hashesOf(pairs.new),
      }))
    return { ...details, newKey: { ...newKey, id } }
  },

  async switch(parts) {
    const { details, pairs } = parts
    if (!(await isSoon(parts, pairs.new, true))) {
      throw failure(
        'keyRejected',
        `The deployment does not accept the new key ${details.newKey.name} yet. The connections still use the old one.`,
      )
    }
    await give(parts, pairs.old, pairs.new)
    return details
  },

  test: (parts) => tested(parts, parts.pairs.new),

  async disable(parts) {
    const { details, pairs, keys } = parts
    const { oldKey } = details
    const next = keys.with(pairs.new)
    const stored = await next.get(oldKey.id)
    if (stored && stored.state !== 'disabled') await next.setState(oldKey.id, 'disabled')
    if (await isSoon(parts, pairs.old, false)) return details
    throw failure(
      'failed',
      `${oldKey.name} is disabled, but the deployment still accepts the key that the connections had. Either it has not noticed yet: try again. Or they had another key with the same ending, …${oldKey.suffix}: undo the rotation, and start with that one.`,
    )
  },

  async enable({ details, pairs, keys }) {
    const { oldKey } = details
    const next = keys.with(pairs.new)
    // The new key is the only one that can enable the old one. If it was never created, the old one was not disabled.
    if (!(await next.isAccepted())) return details
    const stored = await next.get(oldKey.id)
    if (!stored) throw failure('notFound', `The old key ${oldKey.name} was deleted. The rotation cannot be undone.`)
    if (stored.state === 'disabled') await next.setState(oldKey.id, 'enabled')
    return details
  },

  async switchBack(parts) {
    const { details, pairs } = parts
    if (!(await isSoon(parts, pairs.old, true))) {
      throw failure(
        'keyRejected',
        `The deployment does not accept the old key ${details.oldKey.name}: it may have expired. No connection was given it back.`,
      )
    }
    await give(parts, pairs.new, pairs.old)
    return details
  },

  testBack: (parts) => tested(parts, parts.pairs.old),

  async remove({ details, pairs, keys }) {
    const { newKey } = details
    const old = keys.with(pairs.old)
    const made = (await old.list()).find(
      ({ id, name, keySuffix }) => id === newKey.id || (name === newKey.name && keySuffix === newKey.suffix),
    )
    if (made) await old.delete(made.id)
    return details
  },

  async delete({ details, pairs, keys }) {
    await keys.with(pairs.new).delete(details.oldKey.id)
    return details
  },
}

/** Gives the connections another key. @throws conflict if somebody gave them a third one meanwhile */
async function give({ details, connections, follow }: StepDependencies, old: KeyPair, next: KeyPair): Promise<void> {
  const { baseUrl, organizationId } = details
  // First, because the local stack gives its own connection the key that it knows.
  await follow({ baseUrl, organizationId, old, next })
  await connections.replaceKeyPair({ baseUrl, organizationId }, old, next)
  if (connections.withKeyPair({ baseUrl, organizationId }, next).length > 0) return
  throw failure('conflict', 'No connection has the key of this rotation any more. Somebody has given them another one.')
}

/** Sends a request through each connection that has the key, as it is stored. */
async function tested(parts: StepDependencies, pair: KeyPair): Promise<RotationDetails> {
  const { details, connections, keys } = parts
  for (const { id, name } of connections.withKeyPair(details, pair)) {
    if (!(await keys.with(connections.keyPairOf(id)).isAccepted())) {
      throw failure('keyRejected', `The deployment refuses the key of the connection ${name}.`)
    }
  }
  return details
}

/** Whether the deployment accepts, or refuses, a key now or after a while. */
async function isSoon({ keys, pauses }: StepDependencies, pair: KeyPair, wanted: boolean): Promise<boolean> {
  for (const pause of [0, ...pauses]) {
    await sleep(pause)
    if ((await keys.with(pair).isAccepted()) === wanted) return true
  }
  return false
}

const deprecatedNames = ['admin', 'developer', 'query_endpoints'] as const

function deprecated(names: readonly string[] | undefined): (typeof deprecatedNames)[number][] {
  return deprecatedNames.filter((name) => names?.includes(name))
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const suffixLength = 4

/** @param taken endings of key IDs that the new one must not have */
export function newKeyPair(taken: ReadonlySet<string>): KeyPair {
  for (;;) {
    const keyId = randomText(20)
    if (!taken.has(suffixOf(keyId))) return { keyId, keySecret: randomText(40) }
  }
}

export function suffixOf(keyId: string): string {
  return keyId.slice(-suffixLength)
}

/** `hashData` of a new key: the base64 of SHA-256. */
function hashesOf({ keyId, keySecret }: KeyPair) {
  return { keyIdHash: hashOf(keyId), keyIdSuffix: suffixOf(keyId), keySecretHash: hashOf(keySecret) }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function randomText(length: number): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}
