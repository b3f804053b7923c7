/** Four eyes: its settings, its guard over all writes, its notifications and its routes. */
import type { FastifyInstance } from 'fastify'
import type { HeldChange } from '#contract/kernel.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import { Periodic } from '../consoles/periodic.ts'
import type { Presence } from '../consoles/presence.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { People } from '../people/people.ts'
import { ApprovalStore } from './approvalStore.ts'
import { noteOver, registerApprovals } from './approvalRoutes.ts'
import { FourEyes, type Asking } from './fourEyes.ts'
import { noticeRetries, Notices } from './notices.ts'

interface Parts {
  connections: Connections
  deployments: Deployments
  people: People
  presence: Presence
  sealed: SealedJson
  egress: Egress
  audit: AuditLog
  consoleUrl: () => string
  now: (() => number) | undefined
  /** Of notifications, in milliseconds. */
  retries: readonly number[] | undefined
}

const pollInterval = 5_000

export type OpenApprovals = ReturnType<typeof openApprovals>

/** From now on, no write of a protected deployment is sent without approval. */
export function openApprovals(app: FastifyInstance, { connections, deployments, people, ...parts }: Parts) {
  const { presence, sealed, egress, audit, consoleUrl, now, retries = noticeRetries } = parts
  const onError = (error: unknown) =>
    app.log.error({ fault: error instanceof Error ? error.message : 'unknown' }, 'The approvals could not be kept.')
  const store = new ApprovalStore(presence.ownWrites, sealed, now)
  const fourEyes = new FourEyes({ store, connections, people })
  const notices = new Notices({ presence, sealed, egress, retries, onError })
  deployments.guardWrites((target, operation) => fourEyes.check(target, operation))
  const ending = new Periodic({ presence, every: pollInterval, work: endOver, onError })
  let routeParts: Parameters<typeof registerApprovals>[1] | undefined

  async function endOver(): Promise<void> {
    const given = routeParts
    if (!given) return
    await store.endOver((one, transaction) => noteOver(given, one, transaction))
    notices.sendSoon()
  }

  return {
    store,
    fourEyes,
    notices,
    /** Registers the routes, once there is somebody who holds changes. */
    register(holdEnd: (connectionId: string, asking: Asking) => Promise<HeldChange>): void {
      routeParts = { store, fourEyes, notices, connections, audit, consoleUrl, holdEnd }
      registerApprovals(app, routeParts)
    },
    close: async () => {
      await ending.close()
      await notices.close()
    },
  }
}
