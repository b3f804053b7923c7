import { useRouteParam } from '#console/shell/connection.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { NewService } from './create/NewService.tsx'
import { restoredService } from './create/newServiceForm.ts'
import { serviceReads, serviceResource } from './model/serviceResource.ts'

export { serviceReads as reads }

/** A new service with the rows of a backup. */
export default function RestoreServicePage() {
  const backupId = useRouteParam('backupId')
  return (
    <ResourceLoader resource={serviceResource} title="Restore as a new service">
      {(service) => <NewService key={backupId} start={restoredService(service, backupId)} />}
    </ResourceLoader>
  )
}
