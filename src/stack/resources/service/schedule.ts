/** When services have another size, and when they may be upgraded. This stack is one process: it only reports the size. */
import { randomUUID } from 'node:crypto'
import type { Handlers } from '#contract/wire/kernel.ts'
import { upgradeDuration, type serviceSchedules } from '#contract/cloud/services/serviceSchedule.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { scheduleAnswer, type ServiceDocument } from '../../documents/serviceDocument.ts'
import { changeService, serviceNow } from '../../documents/serviceRows.ts'
import { Refusal, refuse } from '../../refusal.ts'
import type { StackContext } from '../context.ts'

export const serviceScheduleHandlers: Handlers<typeof serviceSchedules, StackContext> = {
  async get({ params }, { store }) {
    const service = await serviceNow(store, params.serviceId)
    if (!service.internal?.schedule?.length) throw new Refusal(404, 'the service has no scaling schedule')
    return scheduleAnswer(service, currentTime())
  },

  async replace({ params, body }, context) {
    const schedule = body.entries.map((entry) => ({ ...entry, id: randomUUID() }))
    const changed = await setInternal(context, params.serviceId, () => ({ schedule }))
    return scheduleAnswer(changed, currentTime())
  },

  async delete({ params }, context) {
    await setInternal(context, params.serviceId, ({ internal }) => {
      if (!internal?.schedule?.length) throw new Refusal(404, 'the service has no scaling schedule')
      return { schedule: [] }
    })
    return undefined
  },

  async upgradeWindow({ params }, { store }) {
    const { internal } = ofPrimary(await serviceNow(store, params.serviceId))
    if (!internal?.upgradeWindow) throw new Refusal(404, 'the service has no upgrade window')
    return { ...internal.upgradeWindow, duration: upgradeDuration }
  },

  async setUpgradeWindow({ params, body }, context) {
    await setInternal(context, params.serviceId, (service) => ofPrimary(service) && { upgradeWindow: body })
    return { ...body, duration: upgradeDuration }
  },

  async deleteUpgradeWindow({ params }, context) {
    await changeService(context, params.serviceId, (service) => {
      const { upgradeWindow, ...internal } = ofPrimary(service).internal ?? {}
      if (!upgradeWindow) throw new Refusal(404, 'the service has no upgrade window')
      return { ...service, internal }
    })
    return undefined
  },
}

function ofPrimary(service: ServiceDocument): ServiceDocument {
  if (service.isPrimary === false) throw refuse('the upgrade window is that of the primary service of the warehouse')
  return service
}

/** Sets fields that are stored, but not part of the service in responses. */
function setInternal(
  context: StackContext,
  serviceId: string,
  fields: (service: ServiceDocument) => ServiceDocument['internal'],
): Promise<ServiceDocument> {
  return changeService(context, serviceId, (service) => ({
    ...service,
    internal: { ...service.internal, ...fields(service) },
  }))
}
