/** Who may approve a change request. */
import { roleReason } from '#contract/consoleRoles.ts'
import type { Access, Stages } from '../access/access.ts'
import type { StoredRequest } from './storedRequest.ts'

/** Who sends a request to the gateway. */
export interface Caller {
  /** `Access.personId`. */
  personId: string | null
  /** `Access.by`. */
  by: string | null
  actor: string
  access: Access
}

/** Why somebody may not approve or decline a request; undefined if they may. */
export function whyNotApprove(
  { requesterId, connectionId, need }: StoredRequest,
  { personId, access }: Pick<Caller, 'personId' | 'access'>,
  stages: Stages,
): string | undefined {
  if (access.isToken) return 'A person must approve it. Tokens cannot.'
  if (personId === requesterId) return 'You asked for it, so somebody else must approve it.'
  if (personId === null) {
    return 'Sign in with an account of your own to approve: the link and the password of the console do not tell who you are.'
  }
  const stage = stages.stageOf(connectionId)
  if (stage === undefined) return 'The connection does not exist any more.'
  return roleReason(access.roleOn(connectionId), need, stage)
}
