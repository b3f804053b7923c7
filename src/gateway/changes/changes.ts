/** Changes of several records, and changes that wait for a second person. */
import type { FastifyInstance } from 'fastify'
import type { Deployments } from '#node/upstream/deployments.ts'
import { serveApprovals, type OpenApprovals } from '../approvals/openApprovals.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import { openChangeRequests, openHolding } from './changeRequests/openChangeRequests.ts'
import type { RequestStore } from './changeRequests/requestStore.ts'
import type { Connections } from '../connections/connections.ts'
import type { Presence } from '../cluster/presence.ts'
import type { Database } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { OpenHistory } from '../history/openHistory.ts'
import type { Inventories } from '../inventories/inventories.ts'
import type { CurrentAccess } from '../identity/people/currentAccess.ts'
import type { ReadingLimits } from '../recordFiles/recordZips.ts'
import type { GuardedWrites } from '../resources/guardedWrites.ts'
import type { Revisions } from '../resources/recordRevisions.ts'
import { openRuns } from './runs/runs.ts'
import type { RunStore } from './runs/runStore.ts'

interface ChangesDependencies {
  approvals: OpenApprovals
  /** The stored change requests, and the stored runs. */
  requests: RequestStore
  runs: RunStore
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  history: OpenHistory
  guardedWrites: GuardedWrites
  revisions: Revisions
  database: Database
  presence: Presence
  sealed: SealedJson
  currentAccess: CurrentAccess
  audit: AuditLog
  consoleUrl: () => string
  zipLimits: ReadingLimits | undefined
}

/**
 * A change of a protected connection waits as a change request (`approvalQueue`). Once it is approved, its writes are sent, or its
 * run is started. Runs of other connections start at once.
 */
export async function openChanges(app: FastifyInstance, { requests, runs: stored, ...parts }: ChangesDependencies) {
  const { approvals } = parts
  const { twoPersonApproval } = approvals
  const holding = openHolding({ ...parts, requests })
  const { approvalQueue } = holding
  const runs = await openRuns(app, { ...parts, runs: stored, twoPersonApproval, approvalQueue })
  const changeRequests = openChangeRequests(app, { ...parts, requests, holding, runs })
  const served = serveApprovals(app, {
    ...parts,
    ...approvals,
    requestApprovalOff: (id, author) => approvalQueue.requestApprovalOff(id, author),
  })
  return {
    approvalQueue,
    /** Which record is a copy of which. */
    links: runs.links,
    close: async () => {
      await Promise.all([runs.close(), changeRequests.close(), served.close()])
    },
  }
}
