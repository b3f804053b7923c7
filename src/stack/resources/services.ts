/** Services: spec 2.4 and section 4 of the managed reference. */
import type { Handlers } from '#contract/kernel.ts'
import type { Service, services } from '#contract/services.ts'
import type { StackContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { collection } from '../store/collection.ts'

export const serviceRows = collection<Service>('services')

export const serviceHandlers: Handlers<typeof services, StackContext> = {
  list: (_, { store }) => serviceRows.all(store),

  async get({ params }, { store }) {
    const service = await serviceRows.get(store, params.serviceId)
    if (!service) throw new Refusal(404, params.serviceId)
    return service
  },
}
