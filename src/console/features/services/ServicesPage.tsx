import { useQuery } from '@tanstack/react-query'
import { Server } from 'lucide-react'
import { useOffer } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/NotOffered.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/Page.tsx'
import { StatusChip, type ChipTone } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { services, serviceStates, type Service } from '#contract/services.ts'

const tones: Record<string, ChipTone> = {
  running: 'ok',
  idle: 'ok',
  partially_running: 'warn',
  degraded: 'warn',
  failed: 'bad',
}

const columns: Column<Service>[] = [
  { id: 'name', title: 'Name', grow: 1, width: 160, value: (service) => service.name ?? service.id },
  {
    id: 'state',
    title: 'State',
    width: 120,
    type: 'choice',
    options: serviceStates.map((state) => ({ value: state, label: state.replaceAll('_', ' ') })),
    value: (service) => service.state,
    cell: ({ state }) =>
      state && <StatusChip tone={tones[state] ?? 'neutral'}>{state.replaceAll('_', ' ')}</StatusChip>,
  },
  {
    id: 'region',
    title: 'Region',
    width: 160,
    value: ({ provider, region }) => [provider, region].filter(Boolean).join(' '),
  },
  { id: 'version', title: 'Version', width: 90, value: (service) => service.dbVersion },
  { id: 'replicas', title: 'Replicas', width: 90, type: 'number', value: (service) => service.numReplicas },
  { id: 'minMemory', title: 'Min. GB per replica', width: 150, type: 'number', value: (one) => one.minReplicaMemoryGb },
  { id: 'maxMemory', title: 'Max. GB per replica', width: 150, type: 'number', value: (one) => one.maxReplicaMemoryGb },
  { id: 'created', title: 'Created', width: 120, type: 'moment', hidden: true, value: (service) => service.createdAt },
  {
    id: 'id',
    title: 'Id',
    width: 290,
    hidden: true,
    value: (service) => service.id,
    cell: ({ id }) => <code>{id}</code>,
  },
]

export default function ServicesPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'services', services.list.variants)
  const { data, error, refetch } = useQuery({ ...q(connection.id, services.list, {}), enabled: offered })
  const table = useTableState()
  return (
    <Page title="Services" lead="The database instances of the organization.">
      {reason ? (
        <NotOffered reason={reason} />
      ) : (
        <DataTable
          label="Services"
          rows={data}
          columns={columns}
          error={error && <QueryError error={error} onRetry={() => void refetch()} />}
          empty={
            <EmptyState icon={Server} title="No services">
              The key sees no service of the organization.
            </EmptyState>
          }
          {...table}
          nameOf={nameOf}
        />
      )}
    </Page>
  )
}

const nameOf = (service: Service) => service.name ?? service.id
