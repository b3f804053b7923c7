/**
 * The team of a deployment, its members and its keys: docs/DEPLOYMENTS.md#data-connections-team.
 * Features that deployments have only in their interface, such as keys, are operations of the stack.
 */
import { z } from 'zod'
import { pathId, resource, wireNumber } from '../wire/kernel.ts'

const teamRecord = z.looseObject({ id: z.string(), name: z.string().nullish() })

const teamMember = z.looseObject({
  id: z.string(),
  email: z.string().nullish(),
  name: z.string().nullish(),
  /** Whether it is the owner of the key that was used. */
  isCurrentUser: z.boolean().nullish(),
  createdAt: z.string().optional(),
  /** The account of the console of this stack, which cannot be removed. */
  isOwner: z.boolean().optional(),
})
export type TeamMember = z.infer<typeof teamMember>

const invitation = z.looseObject({
  id: z.string(),
  email: z.string(),
  name: z.string().nullish(),
  createdAt: z.string().optional(),
  /** The page on which the invited person chooses a password. It is valid for 30 days. */
  url: z.string(),
})
export type Invitation = z.infer<typeof invitation>

const newInvitation = z.looseObject({
  email: z.string(),
  invitationId: z.string(),
  status: z.string().optional(),
  url: z.string(),
})

const invitationInput = z.object({ email: z.email().max(254), name: z.string().trim().max(100).optional() })

export const maxTeamName = 100
const teamName = z.object({ name: z.string().trim().min(1).max(maxTeamName) })

/** A key without its text. */
const keyState = z.looseObject({
  /** Changes with the key. A rotation names the key that it replaces. */
  id: z.string(),
  /** Its last four characters. */
  end: z.string(),
  createdAt: z.string().optional(),
})

const oldIngestionKey = keyState.extend({ validUntil: z.string() })

const teamKeys = z.looseObject({
  access: keyState,
  ingestion: keyState.extend({
    /** Keys before the current one that are still accepted. */
    previous: z.array(oldIngestionKey),
  }),
  /** Where the collector listens; 0 if it does not. */
  collector: z.looseObject({ httpPort: wireNumber, grpcPort: wireNumber }),
})
export type TeamKeys = z.infer<typeof teamKeys>

/** The longest time for which a replaced ingestion key stays valid: 30 days. */
export const maxOverlapMinutes = 30 * 24 * 60

const nothing = z.object({}).optional()
/** The key that is replaced: if it is no longer the current one, nothing is changed. */
const replaced = { keyId: z.string().max(64).optional() }

const common = { scope: 'stack', variants: ['openSource'] } as const
const ofInterface = { ...common, unspecified: true, feature: 'keys' } as const

export const team = resource('team', {
  get: { ...common, method: 'GET', path: '/team', result: teamRecord },
  members: { ...common, method: 'GET', path: '/team/members', list: true, result: z.array(teamMember) },
  removeMember: {
    ...common,
    method: 'DELETE',
    path: '/team/member/{memberId}',
    params: z.object({ memberId: pathId }),
    result: z.looseObject({}).nullish(),
  },
  invitations: { ...common, method: 'GET', path: '/team/invitations', list: true, result: z.array(invitation) },
  /** Inviting an e-mail address again returns its first invitation. */
  invite: { ...common, method: 'POST', path: '/team/invitation', body: invitationInput, result: newInvitation },
  revokeInvitation: {
    ...common,
    method: 'DELETE',
    path: '/team/invitation/{invitationId}',
    params: z.object({ invitationId: pathId }),
    result: z.looseObject({}).nullish(),
  },
  rename: {
    ...common,
    unspecified: true,
    feature: 'name',
    method: 'PATCH',
    path: '/team/name',
    body: teamName,
    result: z.looseObject({}).nullish(),
  },
  keys: { ...ofInterface, method: 'GET', path: '/team/keys', result: teamKeys },
  /** A POST, so that it is never repeated, cached or prefetched, and appears in the log of writes. */
  showAccessKey: {
    ...ofInterface,
    method: 'POST',
    path: '/team/access-key/show',
    body: nothing,
    reveals: true,
    result: z.looseObject({ accessKey: z.string() }),
  },
  /** The old key is refused at once. */
  rotateAccessKey: {
    ...ofInterface,
    method: 'POST',
    path: '/team/access-key/rotate',
    body: z.object(replaced).optional(),
    result: z.looseObject({ newAccessKey: z.string() }),
  },
  showIngestionKey: {
    ...ofInterface,
    method: 'POST',
    path: '/team/ingestion-key/show',
    body: nothing,
    reveals: true,
    result: z.looseObject({ apiKey: z.string() }),
  },
  /** The old key stays valid for the overlap. */
  rotateIngestionKey: {
    ...ofInterface,
    method: 'POST',
    path: '/team/ingestion-key/rotate',
    body: z.object({ ...replaced, overlapMinutes: z.number().int().min(0).max(maxOverlapMinutes) }),
    result: z.looseObject({ newApiKey: z.string() }),
  },
  /** Old ingestion keys are refused from now on. */
  endIngestionOverlap: {
    ...ofInterface,
    method: 'POST',
    path: '/team/ingestion-key/end-overlap',
    body: nothing,
    result: z.looseObject({}).nullish(),
  },
})
