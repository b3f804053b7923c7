import { useNavigate } from '@tanstack/react-router'
import { Scaling } from 'lucide-react'
import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { serviceCommands, type Service } from '#contract/cloud/services/services.ts'
import { capitalized } from '#domain/text/words.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import { pollInterval, serviceResource } from './model/serviceResource.ts'
import { useServiceDeletion } from './model/useServiceAdministration.ts'
import { useServiceCommand } from './model/useServiceCommand.ts'
import {
  idleShort,
  serviceName,
  formatServiceSize,
  stateLabel,
  stateOptions,
  stateTone,
  providerLabel,
} from './model/serviceLabels.ts'

export const reads = listReads(serviceResource)

export default function ServicesPage() {
  const connection = useConnection()
  const navigate = useNavigate()
  const columns = useMemo(() => serviceColumns(connection.id), [connection.id])
  const { commandAction } = useServiceCommand()
  const deletion = useServiceDeletion()
  return (
    <RecordList
      resource={serviceResource}
      lead="Database services of the organization."
      columns={columns}
      links={<LinkButton to={paths.rightSizing(connection.id)}>Right-sizing</LinkButton>}
      emptyTitle="No services"
      empty="The API key has no access to services of the organization."
      commands={(service) => serviceCommands.map((command) => commandAction(service, command))}
      rowActions={({ id }) => [
        { label: 'Scale', icon: Scaling, run: () => void navigate({ to: paths.scaleService(connection.id, id) }) },
      ]}
      newPath={paths.newService(connection.id)}
      lastActions={(service) => [deletion(service)]}
      pollInterval={pollInterval}
    />
  )
}

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
function serviceColumns(connectionId: string): Column<Service>[] {
  return [
    nameColumn({ grow: 1, width: 170, name: serviceName, to: (service) => paths.service(connectionId, service.id) }),
    {
      id: 'state',
      title: 'State',
      width: 130,
      type: 'choice',
      options: stateOptions,
      value: (service) => service.state,
      cell: ({ state }) => <StatusChip tone={stateTone(state)}>{stateLabel(state)}</StatusChip>,
    },
    {
      id: 'region',
      title: 'Region',
      width: 150,
      value: ({ provider, region }) => [provider && providerLabel(provider), region].filter(Boolean).join(' '),
    },
    { id: 'version', title: 'Version', width: 90, value: (service) => service.dbVersion },
    { id: 'size', title: 'Replicas × memory', width: 150, value: formatServiceSize },
    { id: 'idle', title: 'Idling', width: 130, value: idleShort },
    {
      id: 'channel',
      title: 'Release channel',
      width: 144,
      value: ({ releaseChannel }) => releaseChannel && capitalized(releaseChannel),
    },
    {
      id: 'access',
      title: 'IP access entries',
      width: 140,
      type: 'number',
      value: ({ ipAccessList }) => ipAccessList?.length,
    },
    { id: 'tier', title: 'Tier', width: 120, hidden: true, value: ({ tier }) => tier && capitalized(tier) },
    {
      id: 'replicas',
      title: 'Replicas',
      width: 90,
      type: 'number',
      hidden: true,
      value: ({ numReplicas }) => numReplicas,
    },
    {
      id: 'created',
      title: 'Created',
      width: 120,
      type: 'timestamp',
      hidden: true,
      value: ({ createdAt }) => createdAt,
    },
    idColumn(290),
  ]
}
