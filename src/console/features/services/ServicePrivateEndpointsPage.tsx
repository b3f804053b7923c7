import { readAhead } from '#console/api/queries.ts'
import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { reversePrivateEndpoints, serviceEndpoints } from '#contract/serviceEndpoints.ts'
import { PrivateEndpoints } from './endpoints/PrivateEndpoints.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'

export function reads(params: Record<string, string>) {
  const { connectionId = '', serviceId = '' } = params
  serviceReads(params)
  readAhead(connectionId, serviceEndpoints.privateConfig, { params: { serviceId } })
  readAhead(connectionId, reversePrivateEndpoints.list, { params: { serviceId } })
}

export default function ServicePrivateEndpointsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Private endpoints" nav={<ServiceTabs />}>
      {(service) => <PrivateEndpoints service={service} />}
    </ResourceLoader>
  )
}
