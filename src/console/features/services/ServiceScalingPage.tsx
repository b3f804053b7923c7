import { readAhead } from '#console/api/queries.ts'
import { services } from '#contract/services.ts'
import { withMemoryBounds } from './model/replicaMemory.ts'
import { ReplicaScaling } from './scaling/ReplicaScaling.tsx'
import { ServiceLoader } from './ServiceLoader.tsx'

export function reads({ connectionId = '', serviceId = '' }: Record<string, string>) {
  readAhead(connectionId, services.get, { params: { serviceId } })
}

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
