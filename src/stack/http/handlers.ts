/** The handler of every endpoint of the contract. A missing one is a compile error. */
import type { api, ResourceName } from '#contract/index.ts'
import type { Endpoint, Handlers } from '#contract/kernel.ts'
import type { StackContext } from '../resources/context.ts'
import { alertHandlers } from '../resources/alerts.ts'
import { chartHandlers } from '../resources/charts.ts'
import { dashboardHandlers } from '../resources/dashboards.ts'
import { dataConnectionHandlers } from '../resources/dataConnections/dataConnections.ts'
import { organizationHandlers } from '../resources/organizations.ts'
import { pipeHandlers } from '../resources/pipes.ts'
import { prometheusHandlers } from '../resources/prometheus.ts'
import { sampleHandlers } from '../resources/sample.ts'
import { savedSearchHandlers } from '../resources/search/savedSearches.ts'
import { searchHandlers } from '../resources/search/search.ts'
import { serviceHandlers } from '../resources/services.ts'
import { sourceHandlers } from '../resources/sources.ts'
import { teamHandlers } from '../resources/team/team.ts'
import { webhookHandlers } from '../resources/webhooks.ts'

const handlers: { [R in ResourceName]: Handlers<(typeof api)[R], StackContext> } = {
  alerts: alertHandlers,
  charts: chartHandlers,
  dashboards: dashboardHandlers,
  dataConnections: dataConnectionHandlers,
  organizations: organizationHandlers,
  pipes: pipeHandlers,
  prometheus: prometheusHandlers,
  sample: sampleHandlers,
  savedSearches: savedSearchHandlers,
  search: searchHandlers,
  services: serviceHandlers,
  sources: sourceHandlers,
  team: teamHandlers,
  webhooks: webhookHandlers,
}

/** A handler whose input was validated by the schemas of its endpoint. */
type CheckedHandler = (
  input: { params: unknown; query: unknown; body: unknown },
  context: StackContext,
) => Promise<unknown>

export function handlerOf(endpoint: Endpoint): CheckedHandler {
  // The types above prove that each endpoint has a handler, but not to a lookup by name.
  const byName: Record<string, Record<string, CheckedHandler>> = handlers as never
  const handler = byName[endpoint.resource]?.[endpoint.verb]
  if (!handler) throw new TypeError(`${endpoint.resource}.${endpoint.verb} has no handler`)
  return handler
}
