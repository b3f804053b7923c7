/** The API of the connections page: list, create, update, delete, test. No response contains a secret. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type BudgetState,
  type Connection,
  type ConnectionInput,
  confirmation,
  connectionChange,
  connectionDraft,
  newConnection,
  gatewayPaths,
  readOnlyChange,
} from '#contract/console/connections.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { roleReason } from '#contract/console/consoleRoles.ts'
import { z } from 'zod'
import { linkRefusals } from './linkRefusals.ts'
import { sees, type Access } from '../identity/access/access.ts'
import type { Connections } from './connections.ts'
import { testConnection } from './connectionTest.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { disconnectSignal, parsed } from '../http/requests.ts'

const params = z.object({ connectionId: pathId })

/** Two-person approval in connections. */
export interface ApprovalRules {
  /** A connection with what is shown of its approval. */
  shown(access: Access | null): Promise<(connection: Connection) => Connection>
  /** @throws blocked for an edit that would end the protection of two-person approval */
  refuseEdit(connectionId: string, input: ConnectionInput, request: FastifyRequest): Promise<void>
  refuseDeletion(connectionId: string, request: FastifyRequest): Promise<void>
  /** @throws blocked where approval takes the place of the lock of production */
  refuseUnlock(connectionId: string): Promise<void>
}

/** The connections that somebody sees, with their role on each. */
export async function seenConnections(
  connections: Connections,
  rules: ApprovalRules,
  access: Access | null,
): Promise<Connection[]> {
  if (access === null) return []
  const shown = await rules.shown(access)
  const all = connections.list()
  const seen = (id: string) => sees(access, connections, id)
  const refusalOf = linkRefusals(all, seen)
  return all
    .filter(({ id }) => seen(id))
    .map((connection) => {
      const linksRefused = refusalOf(connection)
      return withRole({ ...shown(connection), ...(linksRefused !== undefined && { linksRefused }) }, access)
    })
}

function withRole(connection: Connection, access: Access | null): Connection {
  const role = access?.roleOn(connection.id) ?? 'none'
  if (role === 'administrator') return connection
  const writesRefused = roleReason(role, 'write', connection.stage)
  const sqlRefused = roleReason(role, connection.sqlForReaders ? 'read' : 'query', connection.stage)
  return {
    ...connection,
    role,
    ...(writesRefused !== undefined && { writesRefused }),
    ...(sqlRefused !== undefined && { sqlRefused }),
  }
}

interface Listeners {
  /** Called with the id of a connection that was edited. */
  onEdit: (connectionId: string) => void
  /** Called with the id of a connection that was deleted: what else is stored of it is deleted before the response. */
  onDelete: (connectionId: string) => Promise<void>
}

export function registerConnections(
  app: FastifyInstance,
  connections: Connections,
  deployments: Deployments,
  rules: ApprovalRules,
  { onEdit, onDelete }: Listeners,
): void {
  const url = (path: string) => path.replace('{connectionId}', ':connectionId')
  const idOf = (request: FastifyRequest) => parsed(params, request.params, 'The connection ID').connectionId
  const editorOf = ({ access }: FastifyRequest) => ({ administers: access?.administers === true })

  const shown = async (connection: Connection, { access }: FastifyRequest) =>
    withRole((await rules.shown(access))(connection), access)

  app.get(gatewayPaths.connections, (request) => seenConnections(connections, rules, request.access))
  app.post(gatewayPaths.connections, (request) =>
    connections.create(parsed(newConnection, request.body, 'The connection')),
  )
  const update = async (request: FastifyRequest) => {
    const { confirmedName, ...input } = parsed(connectionChange, request.body, 'The connection')
    await rules.refuseEdit(idOf(request), input, request)
    const updated = await connections.update(idOf(request), input, { ...editorOf(request), confirmedName })
    onEdit(updated.id)
    return shown(updated, request)
  }
  const remove = async (request: FastifyRequest) => {
    const id = idOf(request)
    await rules.refuseDeletion(id, request)
    const { confirmedName } = parsed(confirmation, request.body ?? {}, 'The confirmation')
    await connections.delete(id, confirmedName)
    await onDelete(id)
    return {}
  }
  const setReadOnly = async (request: FastifyRequest) => {
    const { readOnly } = parsed(readOnlyChange, request.body, 'The change')
    if (!readOnly) await rules.refuseUnlock(idOf(request))
    return shown(await connections.setReadOnly(idOf(request), readOnly), request)
  }
  app.put(url(gatewayPaths.connection), (request) => update(request))
  app.delete(url(gatewayPaths.connection), (request) => remove(request))
  app.put(url(gatewayPaths.connectionReadOnly), (request) => setReadOnly(request))
  const budgetOf = async (request: FastifyRequest): Promise<BudgetState | null> => {
    const state = await deployments.budgetOf(connections.open(idOf(request))).current()
    return Number.isFinite(state.limit) ? state : null
  }
  app.get(url(gatewayPaths.connectionBudget), (request) => budgetOf(request))
  app.post(url(gatewayPaths.connectionTest), (request, reply) =>
    testConnection(deployments, connections.open(idOf(request)), disconnectSignal(reply)),
  )
  app.post(gatewayPaths.connectionDraftTest, (request, reply) => {
    const { connectionId, ...input } = parsed(connectionDraft, request.body, 'The connection')
    return testConnection(
      deployments,
      connections.draft(input, editorOf(request), connectionId),
      disconnectSignal(reply),
    )
  })
}
