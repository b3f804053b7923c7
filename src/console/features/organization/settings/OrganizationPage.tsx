import { useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers/offers.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { organizations, type Organization } from '#contract/organizations.ts'
import { CoreDumpsPanel } from './CoreDumpsPanel.tsx'
import { NameForm } from './NameForm.tsx'
import { PrivateEndpointsPanel } from './PrivateEndpointsPanel.tsx'

export const reads = pageReads(organizations.get)

/** The name and the settings of the organization. */
export default function OrganizationPage() {
  const connection = useConnection()
  const { reason } = useOffer(connection, 'organizations', organizations.get.variants)
  const { data, error, refetch } = useQuery({
    ...q(connection.id, organizations.get, {}),
    enabled: reason === undefined,
  })
  return (
    <Page title="Organization" lead="The name and the settings that all services of the organization share.">
      {reason !== undefined && <NotOffered reason={reason} />}
      {error && <QueryError error={error} onRetry={() => void refetch()} />}
      {reason === undefined && !data && !error && <LoadingPanels heights={[190, 120, 110]} />}
      {data && <Settings organization={data} />}
    </Page>
  )
}

function Settings({ organization }: { organization: Organization }) {
  const { id, createdAt, byocConfig } = organization
  return (
    <Column gap={16}>
      <Panel title="General">
        <Column gap={16}>
          {/* What somebody else saved is shown at once. */}
          <NameForm key={organization.name} organization={organization} />
          <DescriptionList
            rows={[
              ['ID', <CopyId key="id" id={id} />],
              ['Created', createdAt && <Timestamp key="created" iso={createdAt} />],
              ['Own cloud accounts', byocConfig && byocConfig.length > 0 ? String(byocConfig.length) : undefined],
            ]}
          />
        </Column>
      </Panel>
      <PrivateEndpointsPanel organization={organization} />
      <CoreDumpsPanel organization={organization} />
    </Column>
  )
}
