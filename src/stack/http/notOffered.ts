/**
 * Operations of the product's API that this stack does not have. They answer in JSON, as its clients expect it of every operation,
 * and say what is not offered. Unknown paths answer in HTML (`answerUnknownRoute`).
 */
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../refusal.ts'

/** The resources of the paths below an organization, or below one of its services. */
const ofOrganization: Readonly<Record<string, string>> = {
  activeBalances: 'balances',
  byocInfrastructure: 'infrastructure of customers',
  creditBalances: 'balances',
  notifications: 'notifications of the organization',
  notificationTypes: 'notifications of the organization',
  postgres: 'Postgres services',
  'prometheus/discovery': 'discovery of Prometheus targets',
  quotas: 'quotas',
  serviceProfiles: 'profiles of services',
  udfs: 'user-defined functions',
  udfUploads: 'user-defined functions',
}
const ofService: Readonly<Record<string, string>> = {
  'clickstack/roles': 'roles of the observability API',
  'clickpipes/context': 'identities of a cloud provider for pipes',
  privateEndpoint: 'private endpoints by this operation',
  'query-api-endpoints': 'query API endpoints of saved queries',
  replicaAwareRouting: 'replica-aware routing',
  'saved-queries': 'saved queries',
  scaling: 'scaling by total memory',
  snapshotConfiguration: 'snapshots',
  snapshots: 'snapshots',
}

const organization = '/v1/organizations/:organizationId'

export function registerNotOffered(app: FastifyInstance): void {
  const groups = [
    ...Object.entries(ofOrganization).map(([path, what]) => [`${organization}/${path}`, what] as const),
    ...Object.entries(ofService).map(([path, what]) => [`${organization}/services/:serviceId/${path}`, what] as const),
  ]
  for (const [path, what] of groups) {
    for (const url of [path, `${path}/*`]) {
      app.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: () => {
          throw new Refusal(404, `This deployment does not offer ${what}`)
        },
      })
    }
  }
}
