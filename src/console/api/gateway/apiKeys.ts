/** The API keys that connections use: when they expire, and rotations that replace them. */
import { queryOptions } from '@tanstack/react-query'
import { apiKeyPaths } from '#contract/console/apiKeyPaths.ts'
import type { ApiKeyRotation, ConnectionKey, RotationInput } from '#contract/console/apiKeyRotations.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import { connectionsQuery } from '../connections.ts'
import { invalidate } from '../queries.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

/** Milliseconds between two reads of a rotation that is under way. */
const pollInterval = 500
/** The gateway remembers it longer. */
const freshFor = 60_000

/** The key of a managed connection, as far as it can be told. */
export const connectionKeyQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['connectionKey', connectionId],
    queryFn: ({ signal }) => send<ConnectionKey>(fillPath(apiKeyPaths.connectionKey, { connectionId }), { signal }),
    staleTime: freshFor,
    retry: false,
  })

const isUnderWay = ({ state }: ApiKeyRotation) => state === 'running'

/** Rotations of the keys of a connection's organization, the newest first. */
export const rotationsQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['apiKeyRotations', connectionId],
    queryFn: ({ signal }) => send<ApiKeyRotation[]>(fillPath(apiKeyPaths.rotations, { connectionId }), { signal }),
    refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? pollInterval : false),
  })

export async function startRotation(connectionId: string, input: RotationInput): Promise<void> {
  await sendChange(connectionId, fillPath(apiKeyPaths.rotations, { connectionId }), input)
}

const paths = {
  resume: apiKeyPaths.rotationResume,
  undo: apiKeyPaths.rotationUndo,
  finish: apiKeyPaths.rotationFinish,
}
export type RotationAction = keyof typeof paths

export async function actOnRotation(connectionId: string, rotationId: string, action: RotationAction): Promise<void> {
  await sendChange(connectionId, fillPath(paths[action], { connectionId, rotationId }))
}

async function sendChange(connectionId: string, path: string, body?: unknown): Promise<void> {
  await send(path, { method: 'POST', ...(body !== undefined && { body }) })
  await queryClient.invalidateQueries(rotationsQuery(connectionId))
}

/** Keys and connections are read again once a rotation has changed them. */
export async function refreshRotated(connectionId: string): Promise<void> {
  await Promise.all([
    invalidate(connectionId, 'apiKeys'),
    queryClient.invalidateQueries(connectionKeyQuery(connectionId)),
    queryClient.invalidateQueries(connectionsQuery),
  ])
}
