/** The API keys that connections to managed deployments use: when they expire, and rotations that replace them. */
import type { FastifyInstance } from 'fastify'
import type { TwoPersonApproval } from '../approvals/twoPersonApproval.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import type { Presence } from '../cluster/presence.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { CurrentAccess } from '../identity/people/currentAccess.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { registerApiKeys } from './apiKeyRoutes.ts'
import { ConnectionKeys } from './connectionKeys.ts'
import { Rotations } from './rotations.ts'
import { RotationStore } from './rotationStore.ts'
import type { KeyChange } from './rotationSteps.ts'

interface ApiKeyDependencies {
  connections: Connections
  deployments: Deployments
  currentAccess: CurrentAccess
  twoPersonApproval: TwoPersonApproval
  audit: AuditLog
  presence: Presence
  sealed: SealedJson
  follow: ((change: KeyChange) => Promise<void>) | undefined
  pauses: readonly number[] | undefined
  onChange: (connectionId: string) => void
}

/** Milliseconds after which a deployment should have noticed that a key was made or disabled. */
const defaultPauses = [500, 1_500, 3_000]

/** Registers the routes. */
export function openApiKeys(
  app: FastifyInstance,
  { presence, sealed, follow = async () => {}, pauses = defaultPauses, ...parts }: ApiKeyDependencies,
): { close: () => Promise<void> } {
  const store = new RotationStore(presence.ownWrites, sealed)
  const rotations = new Rotations({ ...parts, rotations: store, follow, pauses, logger: app.log })
  const connectionKeys = new ConnectionKeys(parts.connections, parts.deployments)
  registerApiKeys(app, { connections: parts.connections, connectionKeys, rotations, store })
  return { close: () => rotations.close() }
}
