/** Change requests: where changes wait for approval, and what follows it, with its background work and its routes. */
import type { FastifyInstance } from 'fastify'
import { logFault } from '#node/process/logFault.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { refuseBeyond } from '../../identity/access/access.ts'
import type { OpenApprovals } from '../../approvals/openApprovals.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { Connections } from '../../connections/connections.ts'
import { Periodic } from '../../cluster/backgroundWork.ts'
import type { Presence } from '../../cluster/presence.ts'
import type { OpenHistory } from '../../history/openHistory.ts'
import type { Inventories } from '../../inventories/inventories.ts'
import type { CurrentAccess } from '../../identity/people/currentAccess.ts'
import type { GuardedWrites } from '../../resources/guardedWrites.ts'
import type { Revisions } from '../../resources/recordRevisions.ts'
import type { OpenRuns } from '../runs/runs.ts'
import { CarryOut } from './carryOut.ts'
import { registerChangeRequests } from './changeRequestRoutes.ts'
import { ChangeRequests } from './changeRequests.ts'
import { ChangeRequestQueue } from './changeRequestQueue.ts'
import { HeldWrites } from './heldWrites.ts'
import { RequestPlans } from './requestPlans.ts'
import { RequestNotices } from './requestNotices.ts'
import { RequestStates } from './requestStates.ts'
import type { RequestStore } from './requestStore.ts'
import type { StoredRequest } from './storedRequest.ts'
import { UndecidedRequests } from './undecidedRequests.ts'

interface HoldingDependencies {
  approvals: OpenApprovals
  requests: RequestStore
  connections: Connections
  audit: AuditLog
  consoleUrl: () => string
}

/** Stores the changes that need approval as requests, and notifies people of them. */
export function openHolding({ approvals, requests: store, ...parts }: HoldingDependencies) {
  const notices = new RequestNotices({ ...parts, approvals: approvals.store, notices: approvals.notices })
  const undecided = new UndecidedRequests({ ...parts, store, notices })
  return { notices, undecided, approvalQueue: new ChangeRequestQueue({ store, undecided, notices }) }
}

interface OpenRequestsDependencies {
  approvals: OpenApprovals
  requests: RequestStore
  holding: ReturnType<typeof openHolding>
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  history: OpenHistory
  guardedWrites: GuardedWrites
  revisions: Revisions
  presence: Presence
  currentAccess: CurrentAccess
  runs: OpenRuns
  audit: AuditLog
}

const pollInterval = 10_000

/** Decisions about requests, and what follows an approval. */
export function openChangeRequests(
  app: FastifyInstance,
  { requests: store, holding, ...parts }: OpenRequestsDependencies,
) {
  const { approvals, connections, deployments, presence, currentAccess, audit } = parts
  const { notices, undecided } = holding
  const onError = logFault(app.log, 'A change request could not be kept.')
  const writes = new HeldWrites(parts)
  /** Roles may change while a request is carried out. */
  const refuseFormer = async ({ requesterBy, requester, deciderId, decidedBy, connectionId, need }: StoredRequest) => {
    const both = [
      [requesterBy, requester],
      [`person ${deciderId ?? ''}`, decidedBy ?? 'Who approved it'],
    ] as const
    for (const [by, name] of both) {
      const access = await currentAccess.accessOf(by)
      if (!access) throw failure('forbidden', `${name} may not use the console any more.`)
      refuseBeyond(access, connections, connectionId, need)
    }
  }
  const carryOut = new CarryOut({
    store,
    writes,
    deployments,
    connections,
    audit,
    refuseFormer,
    onError,
  })
  const states = new RequestStates({ ...parts, store, carryOut, notices, undecided })
  const plans = new RequestPlans({ ...parts, writes })
  const all = {
    ...parts,
    store,
    states,
    notices,
    approvals: approvals.store,
    twoPersonApproval: approvals.twoPersonApproval,
    plans,
    carryOut,
  }
  registerChangeRequests(app, { ...all, requests: new ChangeRequests(all) })
  const sweeping = new Periodic({ presence, every: pollInterval, work: () => states.sweep(), onError })
  sweeping.now()
  return {
    close: async () => {
      await sweeping.close()
      await carryOut.close()
    },
  }
}
