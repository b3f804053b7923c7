/** Who may approve a change request. */
import { roleReason } from '#contract/console/consoleRoles.ts'
import type { Access, Stages } from '../../identity/access/access.ts'
import type { TwoPersonApproval } from '../../approvals/twoPersonApproval.ts'
import type { StoredRequest } from './storedRequest.ts'

/** Who sends a request to the gateway. */
export interface Caller {
  /** `Access.personId`. */
  personId: string | null
  principal: string | null
  actor: string
  access: Access
}

interface Rules {
  connections: Stages
  twoPersonApproval: Pick<TwoPersonApproval, 'needsSecond'>
}

/**
 * Why somebody may not approve or decline a request; undefined if they may. Those of an agent may be approved by the person
 * whose token it has, unless a second person must approve all changes of the connection.
 */
export async function approvalRefusal(
  request: StoredRequest,
  { personId, access }: Pick<Caller, 'personId' | 'access'>,
  { connections: stages, twoPersonApproval }: Rules,
): Promise<string | undefined> {
  const { requesterId, connectionId, need } = request
  if (access.isToken) return 'A person must approve it. Tokens cannot.'
  if (personId === requesterId && (await needsOtherApprover(request, twoPersonApproval))) {
    return 'You asked for it, so somebody else must approve it.'
  }
  if (personId === null) {
    return 'Sign in with an account of your own to approve: the link and the password of the console do not tell who you are.'
  }
  const stage = stages.stageOf(connectionId)
  if (stage === undefined) return 'The connection does not exist any more.'
  return roleReason(access.roleOn(connectionId), need, stage)
}

/** Whether somebody else than the requester must approve a request. */
export async function needsOtherApprover(
  { agent, connectionId }: StoredRequest,
  twoPersonApproval: Rules['twoPersonApproval'],
): Promise<boolean> {
  return agent === undefined || (await twoPersonApproval.needsSecond(connectionId))
}
