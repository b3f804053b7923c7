/** Services as a resource. They are created with a password, and deleted without Undo, in ways of their own. */
import { paths } from '#console/paths/paths.ts'
import { changeKey, recordReads } from '#console/records/record/recordCalls.ts'
import { defineResource } from '#console/records/record/resource.ts'
import { effectiveService, services, type Service } from '#contract/cloud/services/services.ts'
import { isTransitional, serviceName } from './serviceLabels.ts'

/** Milliseconds between two polls of services: shorter while a state is changing. */
export const pollInterval = (services: readonly Service[]): number => (services.some(isTransitional) ? 3000 : 30_000)

export const serviceResource = defineResource({
  api: services,
  idParams: ['serviceId'],
  paths: { list: paths.services, detail: paths.service, edit: paths.editService },
  live: { pollInterval: (service) => pollInterval(service ? [service] : []), reported: effectiveService },
  nameOf: serviceName,
})

/** Reads of a service's pages. */
export const serviceReads = recordReads(serviceResource)

/** The key of a service in pending changes and in the change log. */
export const serviceKey = (connectionId: string, id: string): string => changeKey(serviceResource, connectionId, id)
