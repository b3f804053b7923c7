/** Services: docs/DEPLOYMENTS.md#services. */
import type { Handlers } from '#contract/wire/kernel.ts'
import { maxTags } from '#contract/cloud/services/serviceParts.ts'
import {
  commandStates,
  releaseChannelReason,
  type ReplicaScalingInput,
  type ServiceUpdate,
  type services,
} from '#contract/cloud/services/services.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { mayCall } from '../../access/caller.ts'
import type { StackContext } from '../context.ts'
import { requireCoreDumpsAllowed } from './coreDumps.ts'
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
import { tagFilterOf } from '../../documents/tagFilter.ts'
import { scaledService, ScalingProblem } from '../../documents/serviceScaling.ts'

/** Changes a stored service. @returns the response with the changed service */
async function change(context: StackContext, serviceId: string, work: (service: ServiceDocument) => ServiceDocument) {
  return serviceAnswer(await changeService(context, serviceId, work), currentTime())
}

/** States that lead to a running service. */
const beginning: readonly string[] = ['provisioning', 'starting', 'awaking']

export const serviceHandlers: Handlers<typeof services, StackContext> = {
  /** The services that the key may see. */
  async list({ query }, { store, caller }) {
    const now = currentTime()
    return (await serviceRows.all(store))
      .filter((document) => !isGone(settledService(document, now)))
      .filter(({ id }) => !caller || mayCall(caller, 'control-plane:service:view', id))
      .filter(tagFilterOf(query.filter))
      .map((document) => serviceAnswer(document, now))
  },

  async get({ params }, { store }) {
    return serviceAnswer(await serviceNow(store, params.serviceId), currentTime())
  },

  async update({ params, body }, context) {
    await requireCoreDumpsAllowed(context, body)
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
      if (command === 'stop' && beginning.includes(service.state ?? '')) {
        throw refuse(`${service.id} service is still ${service.state}. Stop it once it runs`)
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
