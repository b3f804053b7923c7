/** All resources of the API by name: the whole route table. */
import { alerts } from './alerts.ts'
import { charts } from './charts.ts'
import { dashboards } from './dashboards.ts'
import { dataConnections } from './dataConnections.ts'
import type { Endpoint } from './kernel.ts'
import { organizations } from './organizations.ts'
import { pipes } from './pipes.ts'
import { prometheus } from './prometheus.ts'
import { sample } from './sample.ts'
import { savedSearches } from './savedSearches.ts'
import { search } from './search.ts'
import { services } from './services.ts'
import { sources } from './sources.ts'
import { team } from './team.ts'
import { webhooks } from './webhooks.ts'

export const api = {
  alerts,
  charts,
  dashboards,
  dataConnections,
  organizations,
  pipes,
  prometheus,
  sample,
  savedSearches,
  search,
  services,
  sources,
  team,
  webhooks,
}

export type ResourceName = keyof typeof api

export const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource))

/** The endpoints that the console may call. The gateway has a route for each of them and for no other. */
export const consoleEndpoints: Endpoint[] = endpoints.filter(({ stackOnly }) => !stackOnly)
