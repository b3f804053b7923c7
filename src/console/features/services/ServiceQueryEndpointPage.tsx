import { recordReads } from '#console/records/record/recordCalls.ts'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { apiKeys } from '#contract/cloud/organization/apiKeys.ts'
import { serviceEndpoints } from '#contract/cloud/services/serviceEndpoints.ts'
import { QueryEndpointPanels } from './endpoints/QueryEndpointPanels.tsx'
import { serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'

export const reads = recordReads(serviceResource, serviceEndpoints.query, apiKeys.list)

export default function ServiceQueryEndpointPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Query endpoint" nav={<ServiceTabs />}>
      {(service) => <QueryEndpointPanels service={service} />}
    </ResourceLoader>
  )
}
