/** Two-person approval in connections: what is shown of it, and edits that would end its protection. */
import type { FastifyRequest } from 'fastify'
import type { Connection, ConnectionInput } from '#contract/console/connections.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Connections } from '../connections/connections.ts'
import { leadsElsewhere } from '../connections/destination.ts'
import type { ApprovalRules } from '../connections/connectionRoutes.ts'
import type { ApprovalStore } from './approvalStore.ts'
import { changeAuthorOf } from './changeAuthor.ts'
import { breakGlassApproval, unknownRequester, type TwoPersonApproval } from './twoPersonApproval.ts'

interface RuleDependencies {
  store: ApprovalStore
  twoPersonApproval: TwoPersonApproval
  connections: Connections
}

export function approvalRules({ store, twoPersonApproval, connections }: RuleDependencies): ApprovalRules {
  /** @throws blocked on a connection with two-person approval, unless the sender breaks the glass */
  const refuseProtected = async (connectionId: string, request: FastifyRequest, what: string) => {
    if (!(await store.settings(connectionId)).twoPersonApproval) return
    if (!(await twoPersonApproval.breaksGlass(connectionId, changeAuthorOf(request)))) {
      throw failure(
        'blocked',
        `${what} Switch two-person approval off first, which a second administrator approves. Nothing was changed.`,
      )
    }
    request.auditMark = breakGlassApproval
  }
  return {
    shown: async (access) => {
      const [ids, glasses] = await Promise.all([store.protectedIds(), store.breakGlasses()])
      const breakGlassRefused = access ? await twoPersonApproval.breakGlassRefusal(access) : undefined
      const own = new Set<string>()
      for (const [id, glass] of glasses)
        if (access !== null && (await twoPersonApproval.isOwn(glass, access))) own.add(id)
      return (connection) => {
        if (!ids.has(connection.id)) return connection
        const glass = glasses.get(connection.id)
        return {
          ...connection,
          twoPersonApproval: true,
          ...(access?.personId === null && { approvalRefused: unknownRequester }),
          ...(breakGlassRefused !== undefined && { breakGlassRefused }),
          // Approval takes the place of the lock that production has by itself.
          ...(connection.stage === 'production' && { readOnly: false, readOnlyLiftedUntil: undefined }),
          ...(glass && {
            breakGlass: {
              actor: glass.actor,
              reason: glass.reason,
              endsAt: glass.endsAt,
              isMine: own.has(connection.id),
            },
          }),
        }
      }
    },
    refuseEdit: async (connectionId, input, request) => {
      const old = connections.list().find(({ id }) => id === connectionId)
      if (!old || !weakens(old, input)) return
      await refuseProtected(
        connectionId,
        request,
        'Changes of this connection need approval, and its stage and address decide who gives it and where it goes.',
      )
    },
    refuseDeletion: (connectionId, request) =>
      refuseProtected(connectionId, request, 'Changes of this connection need approval, so it cannot be deleted.'),
    refuseUnlock: async (connectionId) => {
      if (!(await store.settings(connectionId)).twoPersonApproval || connections.stageOf(connectionId) !== 'production')
        return
      throw failure('blocked', 'Changes of this connection need approval instead. There is nothing to unlock.')
    },
  }
}

/** The stage decides who must approve. */
function weakens(old: Connection, input: ConnectionInput): boolean {
  return (input.stage !== undefined && input.stage !== old.stage) || leadsElsewhere(old, input)
}
