import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { withMemoryBounds } from './model/replicaMemory.ts'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { ReplicaScaling } from './scaling/ReplicaScaling.tsx'

export { serviceReads as reads }

export default function ServiceScalingPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Scale service" nav={<ServiceTabs />}>
      {(service, { dataUpdatedAt, error }) => (
        <ReplicaScaling
          key={service.id}
          service={withMemoryBounds(service)}
          reportedAt={dataUpdatedAt}
          unreachable={error !== null}
        />
      )}
    </ResourceLoader>
  )
}
