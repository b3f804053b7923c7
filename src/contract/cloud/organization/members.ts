/** Members of an organization and invitations to it: docs/DEPLOYMENTS.md#keys-members-roles. */
import { z } from 'zod'
import { assignedRole, roleIds } from './apiKeys.ts'
import { openEnum, pathId, resource } from '../../wire/kernel.ts'

/** The roles before custom roles existed. */
const deprecatedMemberRoles = ['admin', 'developer'] as const

const deprecatedRole = openEnum(deprecatedMemberRoles).nullish()

const member = z.looseObject({
  userId: z.string(),
  name: z.string().nullish(),
  email: z.string().nullish(),
  role: deprecatedRole,
  joinedAt: z.string().nullish(),
  assignedRoles: z.array(assignedRole).nullish(),
})
export type Member = z.infer<typeof member>

const invitation = z.looseObject({
  id: z.string(),
  email: z.string(),
  role: deprecatedRole,
  createdAt: z.string().nullish(),
  expireAt: z.string().nullish(),
  assignedRoles: z.array(assignedRole).nullish(),
  /**
   * The page on which the invited person joins: only in the response of a new invitation, and only of the stack of this
   * product. The cloud sends it by email.
   */
  url: z.string().nullish(),
})
export type Invitation = z.infer<typeof invitation>

const roleFields = { assignedRoleIds: roleIds.optional(), role: z.enum(deprecatedMemberRoles).optional() }
const memberUpdate = z.strictObject(roleFields)
const invitationInput = z.strictObject({
  email: z.string().trim().toLowerCase().pipe(z.email('must be an email address').max(320)),
  ...roleFields,
})

const record = { volatile: [] } as const
const ofOrganization = { scope: 'organization', variants: ['managed'] } as const
const userId = z.object({ userId: pathId })
const memberPath = '/members/{userId}'

export const members = resource('members', {
  list: { ...ofOrganization, method: 'GET', path: '/members', list: true, result: z.array(member) },
  get: { ...ofOrganization, method: 'GET', path: memberPath, params: userId, record, result: member },
  update: {
    ...ofOrganization,
    method: 'PATCH',
    path: memberPath,
    params: userId,
    body: memberUpdate,
    result: member,
  },
  delete: { ...ofOrganization, method: 'DELETE', path: memberPath, params: userId, result: z.unknown() },
})

const invitationId = z.object({ invitationId: pathId })
const invitationPath = '/invitations/{invitationId}'

export const invitations = resource('invitations', {
  list: { ...ofOrganization, method: 'GET', path: '/invitations', list: true, result: z.array(invitation) },
  get: { ...ofOrganization, method: 'GET', path: invitationPath, params: invitationId, record, result: invitation },
  create: { ...ofOrganization, method: 'POST', path: '/invitations', body: invitationInput, result: invitation },
  delete: { ...ofOrganization, method: 'DELETE', path: invitationPath, params: invitationId, result: z.unknown() },
})
