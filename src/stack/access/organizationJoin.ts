/** Joining the organization by an invitation. A member is a record: members do not sign in to this stack. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import type { Identity } from '../store/identity.ts'
import { requireRoom } from '../store/requireRoom.ts'
import type { Queries, Store } from '../store/store.ts'
import { refuse } from '../refusal.ts'
import { addActivity } from './activityLog.ts'
import { invitationRows, memberLimit, memberRows, type InvitationDocument, type MemberDocument } from './memberRows.ts'
import { rolesById } from './roleRows.ts'

const notValid = 'This invitation is not valid. It was used, withdrawn or has expired.'

const maxName = 100

/** The token of a new invitation, and the hash that is stored instead of it. */
export function newInvitationToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('hex')
  return { token, tokenHash: hashOf(token) }
}

export function isOpen({ expireAt }: Pick<InvitationDocument, 'expireAt'>, now = currentTime()): boolean {
  return Date.parse(expireAt) > now
}

/** The open invitation of a token. There are at most some hundred. */
export async function invitationOf(queries: Queries, token: string): Promise<InvitationDocument | undefined> {
  const tokenHash = hashOf(token)
  return (await invitationRows.all(queries)).find((row) => row.tokenHash === tokenHash && isOpen(row))
}

/**
 * Makes a member of an invitation, which is used once.
 * @throws Refusal for a name that is empty or too long, and for an invitation that is not valid
 */
export function joinOrganization(
  store: Store,
  identity: Identity,
  token: string,
  typedName: string,
): Promise<MemberDocument> {
  const name = typedName.trim()
  if (name === '') throw refuse('Enter your name.')
  if (name.length > maxName) throw refuse(`A name has at most ${maxName} characters.`)
  return store.write(async (transaction) => {
    const invitation = await invitationOf(transaction, token)
    if (!invitation) throw refuse(notValid)
    // Roles that were deleted since are left out.
    const roles = await rolesById(transaction, identity)
    const member: MemberDocument = {
      id: randomUUID(),
      name,
      email: invitation.email,
      joinedAt: currentIsoTime(),
      assignedRoleIds: invitation.assignedRoleIds.filter((id) => roles.has(id)),
    }
    await requireRoom(transaction, memberLimit)
    await invitationRows.delete(transaction, invitation.id)
    await memberRows.insert(transaction, member)
    await addActivity(transaction, {
      type: 'organization_member_join',
      actorType: 'user',
      actorId: member.id,
      actorDetails: member.email,
      organizationId: identity.organizationId,
    })
    return member
  })
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
