/** All resources of the API by name: the whole route table. */
import { activities } from './cloud/organization/activities.ts'
import { alerts } from './stack/alerts.ts'
import { apiKeys } from './cloud/organization/apiKeys.ts'
import { charts } from './stack/charts.ts'
import { chartExplanation } from './stack/explanation.ts'
import { dashboards, dashboardSummaries } from './stack/dashboards/dashboards.ts'
import { dataConnections } from './stack/dataConnections.ts'
import type { Endpoint } from './wire/kernel.ts'
import { identities } from './cloud/organization/identities.ts'
import { invitations, members } from './cloud/organization/members.ts'
import { organizations } from './cloud/organization/organizations.ts'
import { pipes } from './cloud/pipes/pipes.ts'
import { prometheus } from './cloud/prometheus.ts'
import { roles } from './cloud/organization/roles.ts'
import { sample } from './stack/sample.ts'
import { savedSearches } from './stack/savedSearches.ts'
import { search } from './stack/search.ts'
import { serviceBackups } from './cloud/services/serviceBackups.ts'
import { reversePrivateEndpoints, serviceEndpoints } from './cloud/services/serviceEndpoints.ts'
import { serviceSchedules } from './cloud/services/serviceSchedule.ts'
import { serviceSettings } from './cloud/services/serviceSettings.ts'
import { services } from './cloud/services/services.ts'
import { sources } from './stack/sources.ts'
import { sql } from './stack/sql.ts'
import { storage } from './stack/storage.ts'
import { team } from './stack/team.ts'
import { usageCost } from './cloud/organization/usageCost.ts'
import { webhooks } from './stack/webhooks.ts'

export const api = {
  activities,
  alerts,
  apiKeys,
  charts: { ...charts, ...chartExplanation },
  dashboards,
  dataConnections,
  identities,
  invitations,
  members,
  organizations,
  pipes,
  prometheus,
  reversePrivateEndpoints,
  roles,
  sample,
  savedSearches,
  search,
  serviceBackups,
  serviceEndpoints,
  serviceSchedules,
  serviceSettings,
  services,
  sources,
  sql,
  storage,
  team,
  usageCost,
  webhooks,
}

export type ResourceName = keyof typeof api

export const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource))

/** Lists of summaries, by resource. Pages read them where whole records would be too large. */
export const summaries = { dashboards: dashboardSummaries }

/** The endpoints that the console may call. The gateway has a route for each of them and for no other. */
export const consoleEndpoints: Endpoint[] = [
  ...endpoints.filter(({ stackOnly }) => !stackOnly),
  ...Object.values(summaries),
]
