import type { ReactNode } from 'react'
import { readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import { services, type Service } from '#contract/services.ts'
import { useService } from './model/useService.ts'

/** Prefetches what every page of a service reads. */
export function readService({ connectionId = '', serviceId = '' }: Record<string, string>) {
  readAhead(connectionId, services.get, { params: { serviceId } })
}

interface ServiceLoaderProps {
  title: string
  /** @param reportedAt epoch milliseconds; @param unreachable whether the last poll failed */
  children: (service: Service, reportedAt: number, unreachable: boolean) => ReactNode
}

/** Renders its children once the service of the current route is loaded. */
export function ServiceLoader({ title, children }: ServiceLoaderProps) {
  const { id: connectionId } = useConnection()
  const read = useService()
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.services(connectionId), label: 'All services' }}>
      {(service) => children(service, read.dataUpdatedAt, read.error !== null)}
    </RecordLoader>
  )
}
