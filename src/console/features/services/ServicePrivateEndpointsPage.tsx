import { recordReads } from '#console/records/record/recordCalls.ts'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { reversePrivateEndpoints, serviceEndpoints } from '#contract/cloud/services/serviceEndpoints.ts'
import { PrivateEndpoints } from './endpoints/PrivateEndpoints.tsx'
import { serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'

export const reads = recordReads(serviceResource, serviceEndpoints.privateConfig, reversePrivateEndpoints.list)

export default function ServicePrivateEndpointsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Private endpoints" nav={<ServiceTabs />}>
      {(service) => <PrivateEndpoints service={service} />}
    </ResourceLoader>
  )
}
