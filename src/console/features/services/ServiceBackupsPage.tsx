import { recordReads } from '#console/shell/record/recordCalls.ts'
import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { serviceBackups } from '#contract/serviceBackups.ts'
import { Backups } from './backups/Backups.tsx'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { serviceResource } from './model/serviceResource.ts'

export const reads = recordReads(serviceResource, serviceBackups.list)

export default function ServiceBackupsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Backups" nav={<ServiceTabs />}>
      {(service) => <Backups service={service} />}
    </ResourceLoader>
  )
}
