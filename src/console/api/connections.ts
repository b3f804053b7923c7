/** The console's own connections: kept, with their keys, by the gateway. */
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  connection,
  connectionTest,
  gatewayPaths,
  type Connection,
  type ConnectionInput,
  type ConnectionTest,
} from '#contract/connections.ts'
import { fillPath } from '#contract/kernel.ts'
import { queryClient } from './queries.ts'
import { send } from './send.ts'

const connectionList = z.array(connection)

export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: async ({ signal }): Promise<Connection[]> =>
    connectionList.parse((await send(gatewayPaths.connections, { signal })).body),
  staleTime: 30_000,
})

const pathOf = (template: string, connectionId: string) => fillPath(template, { connectionId })

export async function createConnection(input: ConnectionInput): Promise<Connection> {
  return stored(await send(gatewayPaths.connections, { method: 'POST', body: input }))
}

/** A secret that the input leaves out keeps the stored one. */
export async function updateConnection(connectionId: string, input: ConnectionInput): Promise<Connection> {
  return stored(await send(pathOf(gatewayPaths.connection, connectionId), { method: 'PUT', body: input }))
}

export async function deleteConnection(connectionId: string): Promise<void> {
  await send(pathOf(gatewayPaths.connection, connectionId), { method: 'DELETE' })
  queryClient.removeQueries({ queryKey: [connectionId] })
  await queryClient.invalidateQueries(connectionsQuery)
}

/** Asks the deployment for each feature with the stored key. */
export async function testConnection(connectionId: string): Promise<ConnectionTest> {
  return connectionTest.parse(
    (await send(pathOf(gatewayPaths.connectionTest, connectionId), { method: 'POST', body: {} })).body,
  )
}

/** Asks the deployment for each feature with what is in the form. */
export async function testConnectionDraft(input: ConnectionInput): Promise<ConnectionTest> {
  return connectionTest.parse((await send(gatewayPaths.connectionDraftTest, { method: 'POST', body: input })).body)
}

async function stored(answer: { body: unknown }): Promise<Connection> {
  const saved = connection.parse(answer.body)
  queryClient.removeQueries({ queryKey: [saved.id] })
  await queryClient.invalidateQueries(connectionsQuery)
  return saved
}
