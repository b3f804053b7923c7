import type { ReactNode } from 'react'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import type { Service } from '#contract/services.ts'
import { useService } from './model/useService.ts'

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
