import { withMemoryBounds } from './model/replicaMemory.ts'
import { ReplicaScaling } from './scaling/ReplicaScaling.tsx'
import { readService, ServiceLoader } from './ServiceLoader.tsx'

export { readService as reads }

export default function ServiceScalingPage() {
  return (
    <ServiceLoader title="Scale service">
      {(service, reportedAt, unreachable) => (
        <ReplicaScaling
          key={service.id}
          service={withMemoryBounds(service)}
          reportedAt={reportedAt}
          unreachable={unreachable}
        />
      )}
    </ServiceLoader>
  )
}
