import { capitalized } from '#domain/text/words.ts'
import { paths } from '#console/paths/paths.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import {
  idleShort,
  serviceName,
  formatServiceSize,
  stateLabel,
  stateOptions,
  stateTone,
  providerLabel,
} from './model/serviceLabels.ts'

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
export function serviceColumns(connectionId: string): Column<Service>[] {
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
    { id: 'access', title: 'IP access entries', width: 140, type: 'number', value: (one) => one.ipAccessList?.length },
    { id: 'tier', title: 'Tier', width: 120, hidden: true, value: ({ tier }) => tier && capitalized(tier) },
    { id: 'replicas', title: 'Replicas', width: 90, type: 'number', hidden: true, value: (one) => one.numReplicas },
    { id: 'created', title: 'Created', width: 120, type: 'timestamp', hidden: true, value: (one) => one.createdAt },
    idColumn(290),
  ]
}
