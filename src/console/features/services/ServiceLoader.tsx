import type { ReactNode } from 'react'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import type { Service } from '#contract/services.ts'
import { useService } from './model/useService.ts'

interface ServiceLoaderProps {
  title: string
  /** @param reportedAt epoch milliseconds; @param blind whether the last look failed */
  children: (service: Service, reportedAt: number, unreachable: boolean) => ReactNode
}

/** The service of the address once it is there; why not, where it is not. */
export function ServiceLoader({ title, children }: ServiceLoaderProps) {
  const { id: connectionId } = useConnection()
  const read = useService()
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.services(connectionId), label: 'All services' }}>
      {(service) => children(service, read.dataUpdatedAt, read.error !== null)}
    </RecordLoader>
  )
}
