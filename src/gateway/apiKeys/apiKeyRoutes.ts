/** The API of the keys that connections use: their expiry and their rotations. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { apiKeyPaths } from '#contract/console/apiKeyPaths.ts'
import { rotationInput, type ApiKeyRotation } from '#contract/console/apiKeyRotations.ts'
import { isSameUuid } from '#contract/console/deployments.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { sees } from '../identity/access/access.ts'
import type { Connections } from '../connections/connections.ts'
import { actorOf, parsed, routePath } from '../http/requests.ts'
import type { ConnectionKeys } from './connectionKeys.ts'
import type { Rotations, RotationSender } from './rotations.ts'
import type { RotationStore, StoredRotation } from './rotationStore.ts'

interface RouteDependencies {
  connections: Connections
  connectionKeys: ConnectionKeys
  rotations: Rotations
  store: RotationStore
}

const params = z.object({ connectionId: pathId })
const rotationParams = z.object({ connectionId: pathId, rotationId: pathId })

export function registerApiKeys(app: FastifyInstance, parts: RouteDependencies): void {
  const { connectionKeys, rotations } = parts
  const connectionOf = (request: FastifyRequest) => parsed(params, request.params, 'The connection ID').connectionId
  /** A handler for the rotation that the path names. */
  const withRotation =
    (act: (rotation: StoredRotation, sender: RotationSender) => Promise<void>) => async (request: FastifyRequest) => {
      const rotation = await findRotation(parts, request)
      await act(rotation, senderOf(request))
      return toRotationView(parts, await findRotation(parts, request), request)
    }

  app.get(routePath(apiKeyPaths.connectionKey), (request) => connectionKeys.of(connectionOf(request)))
  app.get(routePath(apiKeyPaths.rotations), (request) => listRotations(parts, connectionOf(request), request))
  app.post(routePath(apiKeyPaths.rotations), (request) => startRotation(parts, connectionOf(request), request))
  app.get(
    routePath(apiKeyPaths.rotation),
    withRotation(async () => {}),
  )
  app.post(
    routePath(apiKeyPaths.rotationResume),
    withRotation((rotation, sender) => rotations.resume(rotation, sender)),
  )
  app.post(
    routePath(apiKeyPaths.rotationUndo),
    withRotation((rotation, sender) => rotations.undo(rotation, sender)),
  )
  app.post(
    routePath(apiKeyPaths.rotationFinish),
    withRotation((rotation, sender) => rotations.finish(rotation, sender)),
  )
}

async function listRotations(
  parts: RouteDependencies,
  connectionId: string,
  request: FastifyRequest,
): Promise<ApiKeyRotation[]> {
  const place = parts.connections.open(connectionId)
  const all = await parts.store.list()
  return all
    .filter((storedRotation) => isAt(storedRotation, place))
    .map((storedRotation) => toRotationView(parts, storedRotation, request))
}

async function startRotation(
  parts: RouteDependencies,
  connectionId: string,
  request: FastifyRequest,
): Promise<ApiKeyRotation> {
  const input = parsed(rotationInput, request.body, 'The rotation')
  const rotation = await parts.store.get(await parts.rotations.start(connectionId, input, senderOf(request)))
  if (!rotation) throw unknownRotation()
  return toRotationView(parts, rotation, request)
}

async function findRotation(
  { connections, store }: RouteDependencies,
  request: FastifyRequest,
): Promise<StoredRotation> {
  const { connectionId, rotationId } = parsed(rotationParams, request.params, 'The rotation')
  const rotation = await store.get(rotationId)
  if (rotation && isAt(rotation, connections.open(connectionId))) return rotation
  throw unknownRotation()
}

/** Whether a connection leads to the organization of a rotation. */
function isAt({ details }: StoredRotation, place: { baseUrl: string; organizationId?: string | undefined }): boolean {
  return details.baseUrl === place.baseUrl && isSameUuid(details.organizationId, place.organizationId)
}

function toRotationView(
  { connections, rotations }: RouteDependencies,
  rotation: StoredRotation,
  { access }: FastifyRequest,
): ApiKeyRotation {
  const { id, phase, done, startedAt, endedAt, details } = rotation
  const { pairs, oldKey, newKey, problem, actor } = details
  const uses = (['old', 'new'] as const).flatMap((which) =>
    (pairs ? connections.withKeyPair(details, pairs[which]) : [])
      .filter(({ id }) => sees(access, connections, id))
      .map(({ id, name }) => ({ id, name, uses: which })),
  )
  return {
    id,
    phase,
    state: rotations.stateOf(rotation),
    done,
    ...(problem !== undefined && { problem }),
    oldKey,
    newKey,
    connections: uses,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    actor,
  }
}

function senderOf(request: FastifyRequest): RotationSender {
  if (request.access === null) throw failure('signedOut', 'Sign in to continue.')
  return { actor: actorOf(request), access: request.access }
}

function unknownRotation() {
  return failure('notFound', 'This rotation does not exist.')
}
