import { recordReads } from '#console/records/record/recordCalls.ts'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { serviceBackups } from '#contract/cloud/services/serviceBackups.ts'
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
