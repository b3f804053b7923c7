/** Changing and testing connections. A secret goes to the gateway and never comes back. */
import type { z } from 'zod'
import type {
  Connection,
  ConnectionChange,
  connectionDraft,
  ConnectionInput,
  ConnectionTest,
} from '#contract/console/connections.ts'
import { gatewayPaths } from '#contract/wire/gatewayWire.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { connectionsQuery } from '../connections.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'
import { forgetOffers } from '../offers/offers.ts'

export async function createConnection(input: ConnectionInput): Promise<Connection> {
  return refreshed(await send<Connection>(gatewayPaths.connections, { method: 'POST', body: input }))
}

/** An omitted secret keeps the stored one. Changing the stage from production requires the connection's name. */
export async function updateConnection(connectionId: string, input: ConnectionChange): Promise<Connection> {
  const path = fillPath(gatewayPaths.connection, { connectionId })
  return refreshed(await send<Connection>(path, { method: 'PUT', body: input }))
}

/** Deleting a production connection repeats its name. */
export async function deleteConnection(connectionId: string, confirmedName?: string): Promise<void> {
  const path = fillPath(gatewayPaths.connection, { connectionId })
  await send(path, { method: 'DELETE', ...(confirmedName !== undefined && { body: { confirmedName } }) })
  queryClient.removeQueries({ queryKey: [connectionId] })
  forgetOffers(connectionId)
  await queryClient.invalidateQueries(connectionsQuery)
}

/** Asks the deployment for each feature with the stored key. */
export function testConnection(connectionId: string): Promise<ConnectionTest> {
  forgetOffers(connectionId)
  return send(fillPath(gatewayPaths.connectionTest, { connectionId }), { method: 'POST', body: {} })
}

/** Tests each feature of the deployment with the form's values, and with the stored key if the form has none. */
export function testConnectionDraft(input: z.input<typeof connectionDraft>): Promise<ConnectionTest> {
  return send(gatewayPaths.connectionDraftTest, { method: 'POST', body: input })
}

/** Data that was read through the connection before its change may belong to another deployment. */
async function refreshed(saved: Connection): Promise<Connection> {
  queryClient.removeQueries({ queryKey: [saved.id] })
  forgetOffers(saved.id)
  await queryClient.invalidateQueries(connectionsQuery)
  return saved
}
