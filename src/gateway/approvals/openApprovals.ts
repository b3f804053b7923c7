/** Two-person approval: its settings, what it decides about writes, its notifications and its routes. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { logFault } from '#node/process/logFault.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import type { Connections } from '../connections/connections.ts'
import { Periodic } from '../cluster/backgroundWork.ts'
import type { Presence } from '../cluster/presence.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { People } from '../identity/people/people.ts'
import { ApprovalStore } from './approvalStore.ts'
import { recordExpiredBreakGlass, registerApprovals, type ApprovalRouteDependencies } from './approvalRoutes.ts'
import { TwoPersonApproval } from './twoPersonApproval.ts'
import { noticeRetries, Notices } from './notices.ts'

interface ApprovalsDependencies {
  connections: Connections
  people: People
  presence: Presence
  sealed: SealedJson
  egress: Egress
  logger: FastifyBaseLogger
  now: (() => number) | undefined
  /** Delays between attempts to send a notification, in milliseconds. */
  retries: readonly number[] | undefined
}

const pollInterval = 5_000
const notKept = 'The approvals could not be kept.'

export interface OpenApprovals {
  store: ApprovalStore
  twoPersonApproval: TwoPersonApproval
  notices: Notices
}

export function openApprovals({ connections, people, ...parts }: ApprovalsDependencies): OpenApprovals {
  const { presence, sealed, egress, logger, now, retries = noticeRetries } = parts
  const store = new ApprovalStore(presence.ownWrites, sealed, now)
  return {
    store,
    twoPersonApproval: new TwoPersonApproval({ store, connections, people }),
    notices: new Notices({ presence, sealed, egress, retries, onError: logFault(logger, notKept) }),
  }
}

interface ServedDependencies extends ApprovalRouteDependencies {
  presence: Presence
}

/** Registers the routes, and ends each break-glass whose time is over. */
export function serveApprovals(app: FastifyInstance, { presence, ...parts }: ServedDependencies) {
  const { store, notices } = parts
  registerApprovals(app, parts)
  const ending = new Periodic({
    presence,
    every: pollInterval,
    work: async () => {
      await store.endOver((breakGlass, transaction) => recordExpiredBreakGlass(parts, breakGlass, transaction))
      notices.sendSoon()
    },
    onError: logFault(app.log, notKept),
  })
  return {
    close: async () => {
      await ending.close()
      await notices.close()
    },
  }
}
