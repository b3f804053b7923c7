/** The path of an endpoint on a deployment. */
import { fillPath, pathTemplate, type Endpoint } from '#contract/wire/kernel.ts'
import { failure } from './apiFailure.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'

/** The path with its parameters filled in. @throws notOffered if the variant has no such endpoint */
export function upstreamPath(endpoint: Endpoint, target: UpstreamTarget, ids: Record<string, string>): string {
  const template = pathTemplate(endpoint, target.variant, target.names)
  if (template === null) throw failure('notOffered', `The open-source variant does not offer ${endpoint.resource}.`)
  const { organizationId, serviceId } = target
  // The stack of a managed deployment belongs to the connection's service. Other endpoints name a service in their path.
  const own = endpoint.scope === 'stack' ? { organizationId, serviceId } : { organizationId }
  return fillPath(template, { ...ids, ...own })
}
