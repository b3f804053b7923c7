/** Invitations to the team, valid for 30 days: docs/DEPLOYMENTS.md#data-connections-team. */
import { randomBytes } from 'node:crypto'
import { currentTime } from '#node/clock/wallClock.ts'
import { newObjectId } from '../ids.ts'
import { refuse, Refusal } from '../refusal.ts'
import { collection } from '../store/collection.ts'
import { requireRoom } from '../store/requireRoom.ts'
import type { Queries, Store } from '../store/store.ts'
import { keyDigest } from './keyDigest.ts'
import { memberLimit, memberRows, newMember, type Member } from './members.ts'
import { passwordProblem } from './passwords.ts'
import { hashPassword } from '#node/secrets/passwordHash.ts'

export interface Invitation {
  id: string
  email: string
  name?: string
  createdAt: string
  /** 64 hexadecimal digits, sealed. */
  token: string
}

const maxInvitations = 500
const lifetime = 30 * 24 * 60 * 60_000

const rows = collection<Invitation>('invitations', {
  columns: ({ email, token }) => ({ email, token_digest: keyDigest(token) }),
})

const isValid = ({ createdAt }: Invitation, now: number) => now - Date.parse(createdAt) < lifetime

export async function validInvitations(queries: Queries, now = currentTime()): Promise<Invitation[]> {
  return (await rows.all(queries)).filter((row) => isValid(row, now))
}

/** The invitation of an e-mail address: the one that it has, or a new one. */
export async function invite(
  queries: Queries,
  input: { email: string; name?: string | undefined },
  now = currentTime(),
): Promise<Invitation> {
  const email = input.email.toLowerCase()
  const [taken] = await queries.rows('SELECT id FROM members WHERE email = ?', [email])
  if (taken) throw refuse('User already exists')
  const [row] = await queries.rows('SELECT id FROM invitations WHERE email = ?', [email])
  const known = row && (await rows.get(queries, String(row['id'])))
  if (known && isValid(known, now)) return known
  if (known) await rows.delete(queries, known.id)
  await requireRoom(queries, memberLimit)
  await requireRoomForInvitation(queries, now)
  const invitation: Invitation = {
    id: newObjectId(),
    email,
    ...(input.name && { name: input.name }),
    createdAt: new Date(now).toISOString(),
    token: randomBytes(32).toString('hex'),
  }
  await rows.insert(queries, invitation)
  return invitation
}

/** Expired invitations make room. @throws Refusal for a team with too many open invitations */
async function requireRoomForInvitation(queries: Queries, now: number): Promise<void> {
  if ((await rows.count(queries)) < maxInvitations) return
  const all = await rows.all(queries)
  const expired = all.filter((invitation) => !isValid(invitation, now))
  for (const { id } of expired) await rows.delete(queries, id)
  if (all.length - expired.length < maxInvitations) return
  throw refuse(`A team has at most ${maxInvitations} open invitations. Revoke some of them first`)
}

export async function revoke(queries: Queries, id: string): Promise<void> {
  if (!(await rows.delete(queries, id))) throw new Refusal(404, 'Invitation not found')
}

export async function invitationWithToken(
  queries: Queries,
  token: string,
  now = currentTime(),
): Promise<Invitation | undefined> {
  const [row] = await queries.rows('SELECT id FROM invitations WHERE token_digest = ?', [keyDigest(token)])
  const found = row && (await rows.get(queries, String(row['id'])))
  return found && isValid(found, now) ? found : undefined
}

const notValid = 'This invitation is not valid. It was used, revoked or has expired.'

/**
 * Creates the account of an invitation, with a personal key of its own. An invitation is used once.
 * @throws Refusal for a password that is too weak, and for an invitation that is not valid
 */
export async function join(store: Store, token: string, password: string, now = currentTime()): Promise<Member> {
  const problem = passwordProblem(password)
  if (problem) throw refuse(problem)
  // Hashing is expensive on purpose, so that it is done for valid invitations only.
  if (!(await invitationWithToken(store, token, now))) throw refuse(notValid)
  const passwordHash = await hashPassword(password)
  return store.write(async (transaction) => {
    const invitation = await invitationWithToken(transaction, token, now)
    if (!invitation) throw refuse(notValid)
    const { id, email, name = email } = invitation
    await requireRoom(transaction, memberLimit)
    await rows.delete(transaction, id)
    const member = newMember({ email, name, passwordHash })
    await memberRows.insert(transaction, member)
    return member
  })
}
