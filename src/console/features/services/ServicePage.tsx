import { useMemo } from 'react'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { serviceReads, serviceResource, serviceKey } from './model/serviceResource.ts'
import { paths } from '#console/paths/paths.ts'
import { ChangeHistory } from '#console/records/pendingChanges/ChangeHistory.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordPage } from '#console/records/record/RecordDetail.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import type { Action } from '#console/ui/actions/actions.ts'
import type { PageAction } from '#console/shell/pageActions.ts'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { PanelColumns } from '#console/ui/layout/PanelColumns.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import { endpointIds } from './model/endpointIds.ts'
import { useNewPassword, useServiceDeletion } from './model/useServiceAdministration.ts'
import { useServiceCommand } from './model/useServiceCommand.ts'
import { AccessList, Endpoints } from './detail/ServiceTables.tsx'
import {
  formatIdle,
  formatServiceSize,
  formatTotalMemory,
  providerLabel,
  stateLabel,
  stateTone,
} from './model/serviceLabels.ts'
import { capitalized } from '#domain/text/words.ts'

export { serviceReads as reads }

export default function ServicePage() {
  return (
    <ResourceLoader resource={serviceResource} nav={<ServiceTabs />}>
      {(service) => <ServiceDetail service={service} />}
    </ResourceLoader>
  )
}

/** The details of one service. */
function ServiceDetail({ service }: { service: Service }) {
  const connection = useConnection()
  const { password, passwordAction } = useNewPassword()
  return (
    <RecordPage
      resource={serviceResource}
      record={service}
      state={
        <>
          <StatusChip tone={stateTone(service.state)}>{stateLabel(service.state)}</StatusChip>
          {service.isReadonly && <StatusChip tone="neutral">Read-only</StatusChip>}
        </>
      }
      nav={<ServiceTabs />}
      lead={[
        service.provider && providerLabel(service.provider),
        service.region,
        service.tier && capitalized(service.tier),
      ]
        .filter(Boolean)
        .join(' · ')}
      actions={useActions(service, passwordAction)}
    >
      {password !== null && (
        <Notice tone="warning" role="status">
          The new password is shown only once: <CopyId id={password} label="Copy password" />
        </Notice>
      )}
      <PanelColumns>
        <Panel
          title="Size"
          aside={<LinkButton to={paths.pipeSize(connection.id, service.id)}>Scale database pipes</LinkButton>}
        >
          <SizeFacts service={service} />
        </Panel>
        <Panel title="Service">
          <ServiceFacts service={service} />
        </Panel>
        <Endpoints service={service} />
        <AccessList service={service} />
        <Panel title="Private endpoints">
          <DescriptionList
            rows={[
              ['Attached', endpointIds(service.privateEndpointIds)],
              ['Available', endpointIds(service.availablePrivateEndpointIds)],
            ]}
          />
        </Panel>
        <Panel title="Encryption">
          <EncryptionFacts service={service} />
        </Panel>
        <Panel title="Recent changes" aside="Made in this browser">
          <ChangeHistory resource={serviceKey(connection.id, service.id)} />
        </Panel>
      </PanelColumns>
    </RecordPage>
  )
}

function useActions(service: Service, passwordAction: (service: Service) => Action): PageAction[] {
  const { commandAction } = useServiceCommand()
  const deletion = useServiceDeletion()
  return useMemo(
    () => [
      commandAction(service, 'start'),
      ...(service.state === 'idle' ? [commandAction(service, 'awake')] : []),
      commandAction(service, 'stop'),
      passwordAction(service),
      deletion(service),
    ],
    [commandAction, deletion, passwordAction, service],
  )
}

function SizeFacts({ service }: { service: Service }) {
  return (
    <DescriptionList
      rows={[
        ['Replicas × memory', formatServiceSize(service)],
        ['Scaling mode', service.autoscalingMode && capitalized(service.autoscalingMode)],
        ['Total memory', formatTotalMemory(service)],
        ['Idling', formatIdle(service)],
      ]}
    />
  )
}

function ServiceFacts({ service }: { service: Service }) {
  return (
    <DescriptionList
      rows={[
        ['Version', service.dbVersion],
        ['Release channel', service.releaseChannel && capitalized(service.releaseChannel)],
        ['ID', <CopyId key="id" id={service.id} />],
        ['Warehouse', service.dataWarehouseId && <CopyId key="warehouse" id={service.dataWarehouseId} />],
        ['Warehouse primary', service.isPrimary == null ? null : service.isPrimary ? 'yes' : 'no'],
        ['IAM role', service.iamRole && <CopyId key="role" id={service.iamRole} label="Copy role" />],
        ['BYOC ID', service.byocId],
        ['Created', service.createdAt && <Timestamp key="created" iso={service.createdAt} />],
      ]}
    />
  )
}

function EncryptionFacts({ service }: { service: Service }) {
  const { hasTransparentDataEncryption: encrypts } = service
  return (
    <DescriptionList
      rows={[
        ['Transparent data encryption', encrypts == null ? unknown : encrypts ? 'on' : 'off'],
        ['Key ID', service.transparentDataEncryptionKeyId],
        ['Encryption role ID', service.encryptionRoleId],
        ['Customer-managed key', service.encryptionKey],
        ['Assumed role identifier', service.encryptionAssumedRoleIdentifier],
      ]}
    />
  )
}

const unknown = 'not reported'
