/** All resources of the API by name: the whole route table. */
import { activities } from './activities.ts'
import { alerts } from './alerts.ts'
import { apiKeys } from './apiKeys.ts'
import { charts } from './charts.ts'
import { dashboards } from './dashboards.ts'
import { dataConnections } from './dataConnections.ts'
import type { Endpoint } from './kernel.ts'
import { identities } from './identities.ts'
import { invitations, members } from './members.ts'
import { organizations } from './organizations.ts'
import { pipes } from './pipes.ts'
import { prometheus } from './prometheus.ts'
import { roles } from './roles.ts'
import { sample } from './sample.ts'
import { savedSearches } from './savedSearches.ts'
import { search } from './search.ts'
import { serviceBackups } from './serviceBackups.ts'
import { reversePrivateEndpoints, serviceEndpoints } from './serviceEndpoints.ts'
import { serviceSchedules } from './serviceSchedule.ts'
import { serviceSettings } from './serviceSettings.ts'
import { services } from './services.ts'
import { sources } from './sources.ts'
import { sql } from './sql.ts'
import { storage } from './storage.ts'
import { team } from './team.ts'
import { usageCost } from './usageCost.ts'
import { webhooks } from './webhooks.ts'

export const api = {
  activities,
  alerts,
  apiKeys,
  charts,
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

/** The endpoints that the console may call. The gateway has a route for each of them and for no other. */
export const consoleEndpoints: Endpoint[] = endpoints.filter(({ stackOnly }) => !stackOnly)
