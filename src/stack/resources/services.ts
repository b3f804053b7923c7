/** Services: spec 2.4 and 4.3, section 4 of the managed reference. */
import type { Handlers } from '#contract/kernel.ts'
import {
  commandStates,
  releaseChannelReason,
  type ReplicaScalingInput,
  type ServiceUpdate,
  type services,
} from '#contract/services.ts'
import type { StackContext } from '../context.ts'
import { InvalidInput, Refusal } from '../errors.ts'
import type { Queries } from '../store/store.ts'
import {
  commandedService,
  serviceAnswer,
  settledService,
  updatedService,
  wantedService,
  type ServiceDocument,
} from './serviceDocument.ts'
import { serviceRows } from './serviceRows.ts'
import { scaledService, ScalingProblem } from './serviceScaling.ts'

/** The service as it is now. @throws Refusal 404 where there is none */
export async function serviceNow(queries: Queries, serviceId: string): Promise<ServiceDocument> {
  const document = await serviceRows.get(queries, serviceId.toLowerCase())
  if (!document) throw new Refusal(404, serviceId)
  return settledService(document, Date.now())
}

/** Changes a stored service, and answers with what it is then. */
async function change(
  { store, cloud }: StackContext,
  serviceId: string,
  work: (service: ServiceDocument) => ServiceDocument,
) {
  const changed = await store.write(async (transaction) => {
    const document = work(await serviceNow(transaction, serviceId))
    await serviceRows.update(transaction, document)
    return document
  })
  cloud.changed()
  return serviceAnswer(changed, Date.now())
}

export const serviceHandlers: Handlers<typeof services, StackContext> = {
  async list(_, { store }) {
    const now = Date.now()
    return (await serviceRows.all(store)).map((document) => serviceAnswer(document, now))
  },

  async get({ params }, { store }) {
    return serviceAnswer(await serviceNow(store, params.serviceId), Date.now())
  },

  update({ params, body }, context) {
    return change(context, params.serviceId, (service) => {
      refuseUnfit(service, body)
      return updatedService(service, body)
    })
  },

  state({ params, body: { command } }, context) {
    return change(context, params.serviceId, (service) => {
      if (command === 'awake' && service.state === 'stopped') {
        const states = commandStates.awake.map((state) => `'${state}'`).join(',')
        throw new Refusal(409, `Only a service in one of the states ${states} can be woken. Current state: 'stopped'`)
      }
      return commandedService(service, command, context.cloud.convergesAt())
    })
  },

  replicaScaling({ params, body }, context) {
    return change(context, params.serviceId, (service) => {
      const values = scaling(wantedService(service), body)
      return { ...service, internal: { ...service.internal, scaling: { values, at: context.cloud.convergesAt() } } }
    })
  },
}

function scaling(service: ServiceDocument, input: ReplicaScalingInput) {
  try {
    return scaledService(service, input)
  } catch (error) {
    throw error instanceof ScalingProblem ? invalidField(error.field, error.message, input) : error
  }
}

/** Rules of a change that depend on the service it is made to. */
function refuseUnfit(service: ServiceDocument, update: ServiceUpdate): void {
  const channelReason = releaseChannelReason(service)
  if (update.releaseChannel !== undefined && update.releaseChannel !== 'default' && channelReason) {
    throw invalidField('releaseChannel', channelReason, update)
  }
  if (update.transparentDataEncryptionKeyId !== undefined && !service.hasTransparentDataEncryption) {
    throw invalidField('transparentDataEncryptionKeyId', 'the service has no transparent data encryption', update)
  }
}

/** A body whose field is well formed, but not right for this resource. */
function invalidField(field: string, message: string, body: object): InvalidInput {
  const input = Object.entries(body).find(([name]) => name === field)?.[1]
  return new InvalidInput([{ part: 'Body', issues: [{ path: field, message, input }] }])
}
