/** The members of the team, each with a personal key: docs/DEPLOYMENTS.md#data-connections-team. */
import { randomUUID } from 'node:crypto'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { newObjectId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { collection } from '../store/collection.ts'
import { requireIdentity, writeIdentity, type Identity } from '../store/identity.ts'
import type { Limit } from '../store/requireRoom.ts'
import type { Queries } from '../store/store.ts'
import { keyDigest, keyId, keyReplaced } from './keyDigest.ts'

/** A type alias, because an interface does not fit the loose schemas of the contract. */
export type Member = {
  id: string
  email: string
  name: string
  createdAt: string
  keyCreatedAt: string
  /** The account whose key is in `credentials.json`, and in the connection of the console of this stack. */
  isOwner?: boolean
  /** Sealed, as is the hash of the password. The owner has no password. */
  accessKey: string
  passwordHash?: string
}

/** Who makes a request. */
export type CallingMember = Pick<Member, 'id' | 'email' | 'name' | 'isOwner'> & {
  /** The digest of the request's key. */
  keyDigest: string
}

export const memberRows = collection<Member>('members', {
  columns: ({ email, accessKey }) => ({ email, key_digest: keyDigest(accessKey) }),
})

export const memberLimit: Limit = {
  rows: memberRows,
  most: 1000,
  owner: 'A team',
  records: 'members',
  remedy: 'Remove one first',
}

/**
 * The member with a key. Only a digest of the key is compared, by an index: how long that takes says nothing about the
 * keys, because nobody can choose a digest.
 */
export async function memberWithKey(queries: Queries, key: string): Promise<CallingMember | undefined> {
  const digest = keyDigest(key)
  const [row] = await queries.rows('SELECT document FROM members WHERE key_digest = ?', [digest])
  if (!row) return undefined
  const { id, email, name, isOwner } = JSON.parse(String(row['document'])) as Member // `memberRows` wrote it
  return { id, email, name, keyDigest: digest, ...(isOwner && { isOwner }) }
}

/** The account of the stack itself, with the key that its identity has had since its first start. */
export async function addOwner(queries: Queries, { personalAccessKey, createdAt }: Identity): Promise<void> {
  if ((await memberRows.count(queries)) > 0) return
  await memberRows.insert(queries, {
    id: newObjectId(),
    email: 'console@localhost',
    name: 'Console of this stack',
    createdAt,
    keyCreatedAt: createdAt,
    isOwner: true,
    accessKey: personalAccessKey,
  })
}

export function newMember(fields: Pick<Member, 'email' | 'name' | 'passwordHash'>): Member {
  const now = currentIsoTime()
  return { ...fields, id: newObjectId(), createdAt: now, keyCreatedAt: now, accessKey: randomUUID() }
}

/** The record of the caller. @throws Refusal 401 if its key was rotated or its account removed since the request began */
export async function ownRecord(queries: Queries, caller: CallingMember): Promise<Member> {
  const member = await memberRows.get(queries, caller.id)
  if (member && keyDigest(member.accessKey) === caller.keyDigest) return member
  throw new Refusal(401, 'Unauthorized')
}

/** Replaces the key of the caller. The old one is refused as soon as the transaction commits. */
export async function rotateAccessKey(
  queries: Queries,
  caller: CallingMember,
  expected: string | undefined,
): Promise<string> {
  const member = await ownRecord(queries, caller)
  if (expected !== undefined && expected !== keyId(member.accessKey)) throw new Refusal(409, keyReplaced)
  const accessKey = randomUUID()
  await memberRows.update(queries, { ...member, accessKey, keyCreatedAt: currentIsoTime() })
  if (!member.isOwner) return accessKey
  await writeIdentity(queries, { ...(await requireIdentity(queries)), personalAccessKey: accessKey })
  return accessKey
}

/** Removes a member, whose key is refused from then on, and makes the caller the author of its alerts. */
export async function removeMember(queries: Queries, caller: CallingMember, id: string): Promise<void> {
  await ownRecord(queries, caller)
  if (id === caller.id) throw new Refusal(400, 'You cannot remove yourself from the team')
  const member = await memberRows.get(queries, id)
  if (!member) throw new Refusal(404, 'Member not found')
  if (member.isOwner) throw new Refusal(400, 'The account of the console of this stack cannot be removed')
  await queries.run('UPDATE alerts SET created_by = ? WHERE created_by = ?', [caller.id, id])
  await memberRows.delete(queries, id)
}
