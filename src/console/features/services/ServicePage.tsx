import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { ServiceDetail } from './detail/ServiceDetail.tsx'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'

export { serviceReads as reads }

export default function ServicePage() {
  return (
    <ResourceLoader resource={serviceResource} nav={<ServiceTabs />}>
      {(service) => <ServiceDetail service={service} />}
    </ResourceLoader>
  )
}
