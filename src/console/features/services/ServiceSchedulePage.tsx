import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { Schedule } from './schedule/Schedule.tsx'

export { serviceReads as reads }

export default function ServiceSchedulePage() {
  return (
    <ResourceLoader resource={serviceResource} title="Schedule" nav={<ServiceTabs />}>
      {(service) => <Schedule service={service} />}
    </ResourceLoader>
  )
}
