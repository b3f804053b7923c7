/** Services: spec 2.4 and 4.3, section 4 of the managed reference. */
import type { Handlers } from '#contract/kernel.ts'
import { maxTags } from '#contract/serviceParts.ts'
import {
  commandStates,
  releaseChannelReason,
  type ReplicaScalingInput,
  type ServiceUpdate,
  type services,
} from '#contract/services.ts'
import { mayCall } from '../../access/caller.ts'
import type { StackContext } from '../context.ts'
import { invalidField, Refusal, refuse } from '../../refusal.ts'
import {
  changedTags,
  commandedService,
  isGone,
  serviceAnswer,
  settledService,
  updatedService,
  wantedService,
  type ServiceDocument,
} from '../../documents/serviceDocument.ts'
import { lifecycleHandlers } from './lifecycle.ts'
import { changeService, serviceNow, serviceRows } from '../../documents/serviceRows.ts'
import { scaledService, ScalingProblem } from '../../documents/serviceScaling.ts'

/** Changes a stored service. @returns the response with the changed service */
async function change(context: StackContext, serviceId: string, work: (service: ServiceDocument) => ServiceDocument) {
  return serviceAnswer(await changeService(context, serviceId, work), Date.now())
}

export const serviceHandlers: Handlers<typeof services, StackContext> = {
  /** The services that the key may see. */
  async list({ query }, { store, caller }) {
    const now = Date.now()
    const wanted = [query.filter ?? []].flat().map(readTagFilter)
    return (await serviceRows.all(store))
      .filter((document) => !isGone(settledService(document, now)))
      .filter(({ id }) => !caller || mayCall(caller, 'control-plane:service:view', id))
      .filter(({ tags }) => wanted.every((one) => tags?.some((tag) => one(tag))))
      .map((document) => serviceAnswer(document, now))
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
      if (command === 'start' && service.state === 'stopping') {
        throw refuse(`${service.id} service is still stopping. Start it once it has stopped`)
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

  ...lifecycleHandlers,
}

/** `tag:Key` or `tag:Key=Value`. */
function readTagFilter(filter: string): (tag: { key: string; value?: string | null | undefined }) => boolean {
  const [key, value] = filter.slice('tag:'.length).split('=')
  return (tag) => tag.key === key && (value === undefined || (tag.value ?? '') === value)
}

function scaling(service: ServiceDocument, input: ReplicaScalingInput) {
  try {
    return scaledService(service, input)
  } catch (error) {
    throw error instanceof ScalingProblem ? invalidField(error.field, error.message, input) : error
  }
}

/** Rules of a change that depend on the stored service. */
function refuseUnfit(service: ServiceDocument, update: ServiceUpdate): void {
  const channelReason = releaseChannelReason(service)
  if (update.releaseChannel !== undefined && update.releaseChannel !== 'default' && channelReason) {
    throw invalidField('releaseChannel', channelReason, update)
  }
  if (update.transparentDataEncryptionKeyId !== undefined && !service.hasTransparentDataEncryption) {
    throw invalidField('transparentDataEncryptionKeyId', 'the service has no transparent data encryption', update)
  }
  if (update.tags && changedTags(service.tags ?? [], update.tags).length > maxTags) {
    throw invalidField('tags', `a service has at most ${maxTags} tags`, update)
  }
}
