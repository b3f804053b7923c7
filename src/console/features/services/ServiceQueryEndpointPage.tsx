import { readAhead } from '#console/api/queries.ts'
import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { apiKeys } from '#contract/apiKeys.ts'
import { serviceEndpoints } from '#contract/serviceEndpoints.ts'
import { QueryEndpointPanels } from './endpoints/QueryEndpointPanels.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'

export function reads(params: Record<string, string>) {
  const { connectionId = '', serviceId = '' } = params
  serviceReads(params)
  readAhead(connectionId, serviceEndpoints.query, { params: { serviceId } })
  readAhead(connectionId, apiKeys.list, {})
}

export default function ServiceQueryEndpointPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Query endpoint" nav={<ServiceTabs />}>
      {(service) => <QueryEndpointPanels service={service} />}
    </ResourceLoader>
  )
}
