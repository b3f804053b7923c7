import { useQueries, useQuery } from '@tanstack/react-query'
import { Workflow } from 'lucide-react'
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
import type { Connection } from '#contract/connections.ts'
import { pipes, pipeStates, type Pipe } from '#contract/pipes.ts'
import { services } from '#contract/services.ts'

type PipeRow = Pipe & { serviceName: string }

const tones: Record<string, ChipTone> = {
  Running: 'ok',
  Completed: 'ok',
  Degraded: 'warn',
  Paused: 'warn',
  Failed: 'bad',
  InternalError: 'bad',
}

/** Each kind of source has a part of its own; the API fills one of them. */
const kindOf = ({ source }: Pipe) => Object.keys(source ?? {}).find((kind) => source?.[kind] != null)

const columns: Column<PipeRow>[] = [
  { id: 'name', title: 'Name', grow: 1, width: 160, value: (pipe) => pipe.name ?? pipe.id },
  {
    id: 'state',
    title: 'State',
    width: 120,
    type: 'choice',
    options: pipeStates.map((state) => ({ value: state, label: state })),
    value: (pipe) => pipe.state,
    cell: ({ state }) => state && <StatusChip tone={tones[state] ?? 'neutral'}>{state}</StatusChip>,
  },
  { id: 'kind', title: 'Reads from', width: 130, value: kindOf },
  { id: 'service', title: 'Service', grow: 0.6, width: 140, value: (pipe) => pipe.serviceName },
  { id: 'replicas', title: 'Replicas', width: 90, type: 'number', value: (pipe) => pipe.scaling?.replicas },
  { id: 'cpu', title: 'CPU, m', width: 90, type: 'number', value: (pipe) => pipe.scaling?.replicaCpuMillicores },
  { id: 'memory', title: 'Memory, GB', width: 110, type: 'number', value: (pipe) => pipe.scaling?.replicaMemoryGb },
  { id: 'updated', title: 'Updated', width: 120, type: 'moment', value: (pipe) => pipe.updatedAt },
  { id: 'id', title: 'Id', width: 290, hidden: true, value: (pipe) => pipe.id, cell: ({ id }) => <code>{id}</code> },
]

export default function PipesPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'pipes', pipes.list.variants)
  const { rows, error, retry } = usePipes(connection, offered)
  const table = useTableState()
  return (
    <Page title="Data pipes" lead="What feeds the services, from streams, object storage and databases.">
      {reason ? (
        <NotOffered reason={reason} />
      ) : (
        <DataTable
          label="Data pipes"
          rows={rows}
          columns={columns}
          error={error && <QueryError error={error} onRetry={retry} />}
          empty={
            <EmptyState icon={Workflow} title="No data pipes">
              None of the services has a pipe.
            </EmptyState>
          }
          {...table}
          nameOf={nameOf}
        />
      )}
    </Page>
  )
}

/** The API lists the pipes of one service: all of them are one list a service. Those that came are shown beside the error. */
function usePipes(connection: Connection, offered: boolean) {
  const all = useQuery({ ...q(connection.id, services.list, {}), enabled: offered })
  const lists = useQueries({
    queries: (all.data ?? []).map(({ id }) => q(connection.id, pipes.list, { params: { serviceId: id } })),
  })
  const complete = all.data !== undefined && lists.every((list) => !list.isPending)
  const rows = lists.flatMap((list, at) =>
    (list.data ?? []).map((pipe) => ({ ...pipe, serviceName: all.data?.[at]?.name ?? pipe.serviceId ?? '' })),
  )
  const error = all.error ?? lists.find((list) => list.error)?.error ?? null
  return {
    rows: complete && (rows.length > 0 || !error) ? rows : undefined,
    error,
    retry: () => {
      void all.refetch()
      for (const list of lists) if (list.error) void list.refetch()
    },
  }
}

const nameOf = (pipe: Pipe) => pipe.name ?? pipe.id
