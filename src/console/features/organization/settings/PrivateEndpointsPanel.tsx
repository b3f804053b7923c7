import { Trash2 } from 'lucide-react'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { Organization } from '#contract/cloud/organization/organizations.ts'
import { useOrganizationUpdate } from './useOrganizationUpdate.ts'

type Endpoint = NonNullable<Organization['privateEndpoints']>[number]

/** The private endpoints that services of the organization may use. New ones are attached to a service. */
export function PrivateEndpointsPanel({ organization }: { organization: Organization }) {
  const locked = lockReason(useConnection())
  const save = useOrganizationUpdate(organization, () => 'Private endpoint removed')
  const endpoints = organization.privateEndpoints ?? []
  const remove = async ({ id }: Endpoint) => {
    const sure = await confirm({
      title: 'Remove private endpoint?',
      body: `Services of the organization can no longer be reached through ${id}.`,
      action: 'Remove endpoint',
      danger: true,
    })
    if (sure) save.mutate({ privateEndpoints: { remove: [{ id }] } })
  }
  return (
    <Panel title="Private endpoints" flush>
      {endpoints.length === 0 ? (
        <PanelText>None. A private endpoint is attached on the page of a service.</PanelText>
      ) : (
        <SmallTable
          label="Private endpoints"
          heads={['ID', 'Description', 'Provider', 'Region', { title: 'Actions', hidden: true }]}
        >
          {endpoints.map((endpoint) => (
            <tr key={endpoint.id}>
              <th scope="row">
                <code>{endpoint.id}</code>
              </th>
              <td>{endpoint.description}</td>
              <td>{endpoint.cloudProvider?.toUpperCase()}</td>
              <td>{endpoint.region}</td>
              <td data-actions="menu">
                <DisabledReason reason={locked}>
                  <IconButton
                    {...hint('Remove')}
                    aria-label={`Remove ${endpoint.id}`}
                    disabled={locked !== undefined || save.isPending}
                    onClick={() => void remove(endpoint)}
                  >
                    <Trash2 size={15} aria-hidden />
                  </IconButton>
                </DisabledReason>
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
    </Panel>
  )
}
