import { recordReads } from '#console/shell/record/recordCalls.ts'
import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { apiKeys } from '#contract/apiKeys.ts'
import { serviceEndpoints } from '#contract/serviceEndpoints.ts'
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
