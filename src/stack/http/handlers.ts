/** The handler of every endpoint of the contract. A missing one is a compile error. */
import type { api, ResourceName } from '#contract/index.ts'
import type { Endpoint, Handlers } from '#contract/wire/kernel.ts'
import type { StackContext } from '../resources/context.ts'
import { alertHandlers } from '../resources/alerts.ts'
import { chartHandlers } from '../resources/charts.ts'
import { dashboardHandlers } from '../resources/dashboards.ts'
import { dataConnectionHandlers } from '../resources/dataConnections/dataConnections.ts'
import { activityHandlers } from '../resources/organization/activities.ts'
import { apiKeyHandlers } from '../resources/organization/apiKeys.ts'
import { identityHandlers } from '../resources/organization/identities.ts'
import { invitationHandlers, memberHandlers } from '../resources/organization/members.ts'
import { organizationHandlers } from '../resources/organization/organizations.ts'
import { roleHandlers } from '../resources/organization/roles.ts'
import { usageCostHandlers } from '../resources/organization/usageCost.ts'
import { pipeHandlers } from '../resources/pipes.ts'
import { prometheusHandlers } from '../resources/prometheus.ts'
import { sampleHandlers } from '../resources/sample.ts'
import { savedSearchHandlers } from '../resources/search/savedSearches.ts'
import { searchHandlers } from '../resources/search/search.ts'
import { serviceBackupHandlers } from '../resources/service/backups.ts'
import { reverseEndpointHandlers, serviceEndpointHandlers } from '../resources/service/endpoints.ts'
import { serviceScheduleHandlers } from '../resources/service/schedule.ts'
import { serviceSettingHandlers } from '../resources/service/settings.ts'
import { serviceHandlers } from '../resources/service/services.ts'
import { sourceHandlers } from '../resources/sources.ts'
import { sqlHandlers } from '../resources/sql/sql.ts'
import { storageHandlers } from '../resources/storage.ts'
import { teamHandlers } from '../resources/team/team.ts'
import { webhookHandlers } from '../resources/webhooks.ts'

const handlers: { [R in ResourceName]: Handlers<(typeof api)[R], StackContext> } = {
  activities: activityHandlers,
  alerts: alertHandlers,
  apiKeys: apiKeyHandlers,
  charts: chartHandlers,
  dashboards: dashboardHandlers,
  dataConnections: dataConnectionHandlers,
  identities: identityHandlers,
  invitations: invitationHandlers,
  members: memberHandlers,
  organizations: organizationHandlers,
  pipes: pipeHandlers,
  prometheus: prometheusHandlers,
  reversePrivateEndpoints: reverseEndpointHandlers,
  roles: roleHandlers,
  sample: sampleHandlers,
  savedSearches: savedSearchHandlers,
  search: searchHandlers,
  serviceBackups: serviceBackupHandlers,
  serviceEndpoints: serviceEndpointHandlers,
  serviceSchedules: serviceScheduleHandlers,
  serviceSettings: serviceSettingHandlers,
  services: serviceHandlers,
  sources: sourceHandlers,
  sql: sqlHandlers,
  storage: storageHandlers,
  team: teamHandlers,
  usageCost: usageCostHandlers,
  webhooks: webhookHandlers,
}

/** An input that was validated by the schemas of its endpoint. */
export interface CheckedInput {
  params: unknown
  query: unknown
  body: unknown
}

type CheckedHandler = (input: CheckedInput, context: StackContext) => Promise<unknown>

export function handlerOf(endpoint: Endpoint): CheckedHandler {
  // The types above prove that each endpoint has a handler, but not to a lookup by name.
  const byName: Record<string, Record<string, CheckedHandler>> = handlers as never
  const handler = byName[endpoint.resource]?.[endpoint.verb]
  if (!handler) throw new TypeError(`${endpoint.resource}.${endpoint.verb} has no handler`)
  return handler
}
