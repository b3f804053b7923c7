/** Members and invitations: docs/DEPLOYMENTS.md#keys-members-roles. Nobody signs in to this stack as a member. */
import { randomUUID } from 'node:crypto'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { Invitation, invitations, Member, members } from '#contract/cloud/organization/members.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import {
  invitationRows,
  memberLimit,
  memberRows,
  type InvitationDocument,
  type MemberDocument,
} from '../../access/memberRows.ts'
import { isOpen, newInvitationToken } from '../../access/organizationJoin.ts'
import { systemRoleIds } from '../../access/roleRows.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { requireRoom } from '../../store/requireRoom.ts'
import type { Queries } from '../../store/store.ts'
import type { StackContext } from '../context.ts'
import { assignedRoles, requestedRoles, requireRolesCovered, rolesNow, type Roles } from './assignments.ts'

export const memberHandlers: Handlers<typeof members, StackContext> = {
  async list(_, context) {
    const [all, roles] = [await memberRows.all(context.store), await rolesNow(context.store, context)]
    return all.map((memberDocument) => memberAnswer(memberDocument, roles))
  },

  async get({ params }, context) {
    return memberAnswer(await memberNow(context.store, params.userId), await rolesNow(context.store, context))
  },

  update({ params, body }, context) {
    return context.store.write(async (transaction) => {
      const stored = await memberNow(transaction, params.userId)
      const roles = await rolesNow(transaction, context)
      const assignedRoleIds = requestedRoles(roles, body.assignedRoleIds, named(body.role)) ?? stored.assignedRoleIds
      const member = { ...stored, assignedRoleIds }
      requireRolesCovered(context, roles, stored.assignedRoleIds, assignedRoleIds)
      await memberRows.update(transaction, member)
      await requireAdminMember(transaction)
      return memberAnswer(member, roles)
    })
  },

  delete({ params }, context) {
    return context.store.write(async (transaction) => {
      const member = await memberNow(transaction, params.userId)
      requireRolesCovered(context, await rolesNow(transaction, context), member.assignedRoleIds)
      await memberRows.delete(transaction, member.id)
      await requireAdminMember(transaction)
    })
  },
}

const lifetime = 7 * 24 * 60 * 60 * 1000
const maxInvitations = 500

export const invitationHandlers: Handlers<typeof invitations, StackContext> = {
  async list(_, context) {
    const [all, roles] = [await invitationRows.all(context.store), await rolesNow(context.store, context)]
    return all.filter((document) => isOpen(document)).map((document) => invitationAnswer(document, roles))
  },

  async get({ params }, context) {
    return invitationAnswer(
      await invitationNow(context.store, params.invitationId),
      await rolesNow(context.store, context),
    )
  },

  create({ body }, context) {
    return context.store.write(async (transaction) => {
      const roles = await rolesNow(transaction, context)
      const { token, tokenHash } = newInvitationToken()
      const ids = requestedRoles(roles, body.assignedRoleIds, named(body.role)) ?? [systemRoleIds.member]
      requireRolesCovered(context, roles, ids)
      await refuseKnownEmail(transaction, body.email)
      await requireRoom(transaction, memberLimit)
      const now = currentTime()
      const invitation: InvitationDocument = {
        id: randomUUID(),
        email: body.email,
        createdAt: new Date(now).toISOString(),
        expireAt: new Date(now + lifetime).toISOString(),
        assignedRoleIds: ids,
        tokenHash,
      }
      await invitationRows.insert(transaction, invitation)
      return { ...invitationAnswer(invitation, roles), url: joinUrl(context.consoleUrl, token) }
    })
  },

  delete({ params }, context) {
    return context.store.write(async (transaction) => {
      const invitation = await invitationNow(transaction, params.invitationId)
      requireRolesCovered(context, await rolesNow(transaction, context), invitation.assignedRoleIds)
      await invitationRows.delete(transaction, invitation.id)
    })
  },
}

const named = (role: string | undefined) => (role === undefined ? undefined : [role])

async function memberNow(queries: Queries, id: string): Promise<MemberDocument> {
  const member = await memberRows.get(queries, id.toLowerCase())
  if (!member) throw new Refusal(404, id)
  return member
}

async function invitationNow(queries: Queries, id: string): Promise<InvitationDocument> {
  const invitation = await invitationRows.get(queries, id.toLowerCase())
  if (!invitation || !isOpen(invitation)) throw new Refusal(404, id)
  return invitation
}

/** One account or open invitation for an address. Expired invitations make room. */
async function refuseKnownEmail(queries: Queries, email: string): Promise<void> {
  const known = (await memberRows.all(queries)).some((row) => row.email.toLowerCase() === email)
  if (known) throw refuse(`${email} is already a member of this organization`)
  const all = await invitationRows.all(queries)
  for (const { id } of all.filter((document) => !isOpen(document))) await invitationRows.delete(queries, id)
  const open = all.filter((document) => isOpen(document))
  if (open.some((document) => document.email === email)) throw refuse(`${email} is already invited`)
  if (open.length >= maxInvitations) throw refuse(`An organization has at most ${maxInvitations} open invitations`)
}

async function requireAdminMember(queries: Queries): Promise<void> {
  const all = await memberRows.all(queries)
  if (all.some(({ assignedRoleIds }) => assignedRoleIds.includes(systemRoleIds.admin))) return
  throw new Refusal(409, 'At least one member must have the role Admin. Nothing was changed')
}

/** `admin` or `developer`: the nearest of the roles before custom roles existed. */
function deprecatedRole(ids: readonly string[]): 'admin' | 'developer' {
  return ids.includes(systemRoleIds.admin) ? 'admin' : 'developer'
}

function memberAnswer({ id, name, email, joinedAt, assignedRoleIds }: MemberDocument, roles: Roles): Member {
  return {
    userId: id,
    name,
    email,
    role: deprecatedRole(assignedRoleIds),
    joinedAt,
    assignedRoles: assignedRoles(roles, assignedRoleIds),
  }
}

function invitationAnswer(invitation: InvitationDocument, roles: Roles): Invitation {
  const { assignedRoleIds, tokenHash: _, ...shown } = invitation
  return { ...shown, role: deprecatedRole(assignedRoleIds), assignedRoles: assignedRoles(roles, assignedRoleIds) }
}

/** The link is shown once: only a hash of its token is stored. */
function joinUrl(consoleUrl: string, token: string): string {
  return `${consoleUrl.replace(/\/$/, '')}/join-organization?token=${token}`
}
