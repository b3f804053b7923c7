import { useQuery } from '@tanstack/react-query'
import { recordReads } from '#console/records/record/recordCalls.ts'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { reversePrivateEndpoints, serviceEndpoints } from '#contract/cloud/services/serviceEndpoints.ts'
import { serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { PanelGrid } from '#console/ui/layout/PanelGrid.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import { endpointIds } from './model/endpointIds.ts'
import { serviceName } from './model/serviceLabels.ts'
import { PartLoader } from './parts/PartLoader.tsx'
import { ReverseEndpoints } from './endpoints/ReverseEndpoints.tsx'

export const reads = recordReads(serviceResource, serviceEndpoints.privateConfig, reversePrivateEndpoints.list)

export default function ServicePrivateEndpointsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Private endpoints" nav={<ServiceTabs />}>
      {(service) => <PrivateEndpoints service={service} />}
    </ResourceLoader>
  )
}

/** How private networks reach a service, and how a service reaches private networks. */
function PrivateEndpoints({ service }: { service: Service }) {
  const connection = useConnection()
  const params = { serviceId: service.id }
  const config = useQuery(q(connection.id, serviceEndpoints.privateConfig, { params }))
  return (
    <Page
      title={`Private endpoints of ${serviceName(service)}`}
      lead="Connections between the service and private networks that do not use the public internet."
      nav={<ServiceTabs />}
    >
      <Column gap={16}>
        <Notice tone="info">
          A local stack has no private network. It stores endpoints and simulates their status and addresses.
        </Notice>
        <PanelGrid>
          <PartLoader title="Connect to the service" read={config} height={110}>
            {(target) => (
              <Panel title="Connect to the service">
                <DescriptionList
                  rows={[
                    [
                      'Endpoint service',
                      target && <CopyId id={target.endpointServiceId} label="Copy endpoint service" key="service" />,
                    ],
                    [
                      'Private host name',
                      target && <CopyId id={target.privateDnsHostname} label="Copy private host name" key="host" />,
                    ],
                  ]}
                />
              </Panel>
            )}
          </PartLoader>
          <Panel
            title="Private endpoint IDs"
            aside={<LinkButton to={paths.editService(connection.id, service.id)}>Edit</LinkButton>}
          >
            <DescriptionList
              rows={[
                ['Attached', endpointIds(service.privateEndpointIds)],
                ['Available', endpointIds(service.availablePrivateEndpointIds)],
              ]}
            />
          </Panel>
        </PanelGrid>
        <ReverseEndpoints serviceId={service.id} />
      </Column>
    </Page>
  )
}
