import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { ServiceMetrics } from './metrics/ServiceMetrics.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'

export { serviceReads as reads }

export default function ServiceMetricsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Metrics and cost" nav={<ServiceTabs />}>
      {(service) => <ServiceMetrics key={service.id} service={service} />}
    </ResourceLoader>
  )
}
