import { readAhead } from '#console/api/queries.ts'
import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { serviceBackups } from '#contract/serviceBackups.ts'
import { Backups } from './backups/Backups.tsx'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'

export function reads(params: Record<string, string>) {
  const { connectionId = '', serviceId = '' } = params
  serviceReads(params)
  readAhead(connectionId, serviceBackups.list, { params: { serviceId } })
}

export default function ServiceBackupsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Backups" nav={<ServiceTabs />}>
      {(service) => <Backups service={service} />}
    </ResourceLoader>
  )
}
