/** Reads and changes stored services. */
import { currentTime } from '#node/clock/wallClock.ts'
import { Refusal } from '../refusal.ts'
import { collection } from '../store/collection.ts'
import type { Limit } from '../store/requireRoom.ts'
import type { Queries, Store } from '../store/store.ts'
import { isGone, settledService, type ServiceDocument } from './serviceDocument.ts'

export const serviceRows = collection<ServiceDocument>('services')

export const serviceLimit: Limit = {
  rows: serviceRows,
  most: 100,
  owner: 'An organization',
  records: 'services',
  remedy: 'Delete one first',
}

/** The service in its current state. @throws Refusal 404 if it does not exist */
export async function serviceNow(queries: Queries, serviceId: string): Promise<ServiceDocument> {
  const document = await serviceRows.get(queries, serviceId.toLowerCase())
  const service = document && settledService(document, currentTime())
  if (!service || isGone(service)) throw new Refusal(404, serviceId)
  return service
}

/** Changes a stored service. @returns the changed service */
export async function changeService(
  { store, cloud }: { store: Pick<Store, 'write'>; cloud: { changed(): void } },
  serviceId: string,
  work: (service: ServiceDocument) => ServiceDocument,
): Promise<ServiceDocument> {
  const changed = await store.write(async (transaction) => {
    const document = work(await serviceNow(transaction, serviceId))
    await serviceRows.update(transaction, document)
    return document
  })
  cloud.changed()
  return changed
}
