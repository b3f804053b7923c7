import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Output } from '#contract/wire/kernel.ts'
import type { services } from '#contract/cloud/services/services.ts'
import { serviceName } from '../model/serviceLabels.ts'

/** A new service with its password. Nothing keeps it: it is gone with this page. */
export function CreatedService({ created: { service, password } }: { created: Output<typeof services.create> }) {
  const { id: connectionId } = useConnection()
  return (
    <Page title={serviceName(service)} lead="The service was created. It starts in the background.">
      <Column gap={16}>
        {password ? (
          <>
            <Notice tone="warning" role="status">
              Copy the password now: it is shown only once.
            </Notice>
            <Panel title="Password">
              <DescriptionList
                rows={[
                  ['User', 'default'],
                  ['Password', <CopyId key="password" id={password} label="Copy password" />],
                ]}
              />
            </Panel>
          </>
        ) : (
          <Notice tone="info">The deployment returned no password.</Notice>
        )}
        <div>
          <LinkButton to={paths.service(connectionId, service.id)}>Open the service</LinkButton>
        </div>
      </Column>
    </Page>
  )
}
