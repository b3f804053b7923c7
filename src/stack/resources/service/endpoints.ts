/** Endpoints of services. This stack has no private network: what is said about one is simulated. */
import { createHash, randomUUID } from 'node:crypto'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { reversePrivateEndpoints, serviceEndpoints } from '#contract/cloud/services/serviceEndpoints.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { keyRows } from '../../access/keyRows.ts'
import { isDue } from '../../documents/pendingChange.ts'
import type { ServiceDocument, StoredReverseEndpoint } from '../../documents/serviceDocument.ts'
import { changeService, serviceNow } from '../../documents/serviceRows.ts'
import { invalidField, Refusal } from '../../refusal.ts'
import type { StackContext } from '../context.ts'

const shortId = ({ id }: ServiceDocument) => id.replaceAll('-', '').slice(0, 17)

/** The target of a private endpoint to a service. */
export const endpointServiceId = (service: ServiceDocument): string =>
  `com.amazonaws.vpce.${service.region}.vpce-svc-${shortId(service)}`

export const serviceEndpointHandlers: Handlers<typeof serviceEndpoints, StackContext> = {
  async privateConfig({ params }, { store }) {
    const service = await serviceNow(store, params.serviceId)
    return {
      endpointServiceId: endpointServiceId(service),
      privateDnsHostname: `${shortId(service).slice(0, 10)}.${service.region}.vpce.localhost`,
    }
  },

  async query({ params }, { store }) {
    const { internal } = await serviceNow(store, params.serviceId)
    if (!internal?.queryEndpoint) throw new Refusal(404, 'the query endpoint is off')
    return internal.queryEndpoint
  },

  async setQuery({ params, body }, context) {
    const known = new Set((await keyRows.all(context.store)).map(({ id }) => id))
    const { internal } = await changeService(context, params.serviceId, (service) => {
      // Clients send back what they read, also after a key was deleted.
      const bound = service.internal?.queryEndpoint?.openApiKeys ?? []
      const unknown = body.openApiKeys.find((id) => !known.has(id.toLowerCase()) && !bound.includes(id))
      if (unknown !== undefined) {
        throw invalidField('openApiKeys', `there is no API key ${unknown} in this organization`, body)
      }
      const id = service.internal?.queryEndpoint?.id ?? randomUUID()
      const queryEndpoint = { allowedOrigins: '', ...body, id }
      return { ...service, internal: { ...service.internal, queryEndpoint } }
    })
    return { ...internal?.queryEndpoint }
  },

  async deleteQuery({ params }, context) {
    await changeService(context, params.serviceId, (service) => {
      const { queryEndpoint: _removed, ...internal } = service.internal ?? {}
      return { ...service, internal }
    })
    return undefined
  },
}

export const reverseEndpointHandlers: Handlers<typeof reversePrivateEndpoints, StackContext> = {
  async list({ params }, { store }) {
    const service = await serviceNow(store, params.serviceId)
    return endpointsOf(service).map((endpoint) => answerOf(service, endpoint))
  },

  async create({ params, body }, context) {
    const id = randomUUID()
    const endpointId = `vpce-${createHash('sha256').update(id).digest('hex').slice(0, 17)}`
    const endpoint = { ...body, id, endpointId, readyAt: context.cloud.convergesAt() }
    const service = await change(context, params.serviceId, (list) => [...list, endpoint])
    return answerOf(service, endpoint)
  },

  async get({ params }, { store }) {
    const service = await serviceNow(store, params.serviceId)
    return answerOf(service, endpointById(endpointsOf(service), params.reverseEndpointId))
  },

  async update({ params, body }, context) {
    const id = params.reverseEndpointId
    const service = await change(context, params.serviceId, (list) => {
      const endpoint = endpointById(list, id)
      if (endpoint.type === 'MSK_MULTI_VPC' && body.customPrivateDnsMappings.length > 0) {
        throw invalidField('customPrivateDnsMappings', 'MSK_MULTI_VPC has no mappings', body)
      }
      return list.map((each) => (each === endpoint ? { ...endpoint, ...body } : each))
    })
    return answerOf(service, endpointById(endpointsOf(service), id))
  },

  async delete({ params }, context) {
    await change(context, params.serviceId, (list) => {
      const endpoint = endpointById(list, params.reverseEndpointId)
      return list.filter((each) => each !== endpoint)
    })
    return undefined
  },
}

const endpointsOf = ({ internal }: ServiceDocument): StoredReverseEndpoint[] => internal?.reverseEndpoints ?? []

function endpointById(list: readonly StoredReverseEndpoint[], id: string): StoredReverseEndpoint {
  const found = list.find((endpoint) => endpoint.id === id.toLowerCase())
  if (!found) throw new Refusal(404, id)
  return found
}

/** @throws InvalidInput for a name that two endpoints of the service have */
function change(
  context: StackContext,
  serviceId: string,
  work: (list: StoredReverseEndpoint[]) => StoredReverseEndpoint[],
): Promise<ServiceDocument> {
  return changeService(context, serviceId, (service) => {
    const reverseEndpoints = work(endpointsOf(service))
    const names = reverseEndpoints.flatMap(mappedNames)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) {
      const message = `another endpoint of the service has ${twice}`
      throw invalidField('customPrivateDnsMappings', message, { customPrivateDnsMappings: twice })
    }
    return { ...service, internal: { ...service.internal, reverseEndpoints } }
  })
}

const mappedNames = ({ customPrivateDnsMappings: mappings = [] }: StoredReverseEndpoint) =>
  mappings.map(({ privateDnsName }) => privateDnsName.toLowerCase())

function answerOf({ id: serviceId, region }: ServiceDocument, { readyAt, ...endpoint }: StoredReverseEndpoint) {
  const ready = isDue({ at: readyAt }, currentTime())
  return {
    ...endpoint,
    serviceId,
    status: ready ? 'Ready' : 'Provisioning',
    dnsNames: ready ? [`${endpoint.endpointId}.${region}.vpce.localhost`] : [],
    privateDnsNames: ready ? mappedNames({ ...endpoint, readyAt }) : [],
  }
}
