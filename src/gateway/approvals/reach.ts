/**
 * The reach of an operation beyond its own connection. A key of the management API serves a whole organization, so that a request
 * through one connection can name the service of another, or change what all services of the organization depend on.
 */
import type { Connection } from '#contract/console/connections.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { isSameUuid, locationOf } from '#contract/console/deployments.ts'

type Reaching = Pick<Operation, 'endpoint' | 'params'>

export interface Reach {
  /** Whether the operation names the service of another connection, and not the whole organization. */
  isService: boolean
  others: Connection[]
}

/** The other connections whose service, or whose organization, an operation changes. */
export function reachOf(
  all: readonly Connection[],
  target: UpstreamTarget,
  { endpoint, params = {} }: Reaching,
): Reach {
  const { serviceId } = params
  const isService = serviceId !== undefined
  if (!endpoint.mutates || endpoint.scope !== 'organization' || isNew(endpoint)) return { isService, others: [] }
  if (isService && isSameUuid(serviceId, target.serviceId)) return { isService, others: [] }
  const { origin } = locationOf(target)
  const others = all.filter(
    (connection) =>
      connection.id !== target.connectionId &&
      connection.variant === 'managed' &&
      isSameUuid(connection.organizationId, target.organizationId) &&
      locationOf(connection).origin === origin &&
      (!isService || isSameUuid(connection.serviceId, serviceId)),
  )
  return { isService, others }
}

/** Whether the operation creates a service, which no connection can belong to yet. */
function isNew({ resource, verb }: Reaching['endpoint']): boolean {
  return resource === 'services' && verb === 'create'
}
