/** Change requests: their store, their background work and their routes. */
import type { FastifyInstance } from 'fastify'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { refuseBeyond } from '../access/access.ts'
import type { OpenApprovals } from '../approvals/openApprovals.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import { Periodic } from '../consoles/periodic.ts'
import type { Presence } from '../consoles/presence.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { OpenHistory } from '../history/openHistory.ts'
import type { Inventories } from '../inventories/inventories.ts'
import type { Standing } from '../people/standing.ts'
import type { GuardedWrites } from '../resources/guardedWrites.ts'
import type { Revisions } from '../resources/recordRevisions.ts'
import type { OpenRuns } from '../runs/runs.ts'
import { CarryOut } from './carryOut.ts'
import { registerChangeRequests } from './changeRequestRoutes.ts'
import { ChangeRequests } from './changeRequests.ts'
import { ChangeHolder } from './changeHolder.ts'
import { HeldWrites } from './heldWrites.ts'
import { RequestPlans } from './requestPlans.ts'
import { RequestNotices } from './requestNotices.ts'
import { RequestStates } from './requestStates.ts'
import { RequestStore } from './requestStore.ts'
import type { StoredRequest } from './storedRequest.ts'

interface Parts {
  approvals: OpenApprovals
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  history: OpenHistory
  guardedWrites: GuardedWrites
  revisions: Revisions
  presence: Presence
  sealed: SealedJson
  standing: Standing
  runs: OpenRuns
  audit: AuditLog
  consoleUrl: () => string
  now: (() => number) | undefined
}

const pollInterval = 10_000

export function openChangeRequests(app: FastifyInstance, parts: Parts) {
  const { approvals, connections, deployments, presence, sealed, standing, audit, now } = parts
  const onError = (error: unknown) =>
    app.log.error({ fault: error instanceof Error ? error.message : 'unknown' }, 'A change request could not be kept.')
  const store = new RequestStore(presence.ownWrites, sealed, now)
  const writes = new HeldWrites(parts)
  /** Roles may change while a request is carried out. */
  const refuseFormer = async ({ requesterBy, requester, deciderId, decidedBy, connectionId, need }: StoredRequest) => {
    const both = [
      [requesterBy, requester],
      [`person ${deciderId ?? ''}`, decidedBy ?? 'Who approved it'],
    ] as const
    for (const [by, name] of both) {
      const access = await standing.accessOf(by)
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
  const notices = new RequestNotices({ ...parts, approvals: approvals.store, notices: approvals.notices })
  const states = new RequestStates({ ...parts, store, carryOut, notices })
  const plans = new RequestPlans({ ...parts, writes })
  const all = { ...parts, store, states, notices, approvals: approvals.store, plans, carryOut }
  registerChangeRequests(app, { ...all, requests: new ChangeRequests(all), fourEyes: approvals.fourEyes })
  const sweeping = new Periodic({ presence, every: pollInterval, work: () => states.sweep(), onError })
  sweeping.now()
  return {
    holder: new ChangeHolder({ store, states, notices }),
    place: async (id: string) => (await store.get(id))?.connectionId,
    close: async () => {
      await sweeping.close()
      await carryOut.close()
    },
  }
}
