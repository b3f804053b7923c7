import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Pencil, Scaling, Settings2, Square, Workflow } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useOffer } from '#console/api/offers.ts'
import { readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { useNewButton } from '#console/shell/record/useNewButton.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { pipes } from '#contract/pipes.ts'
import { services } from '#contract/services.ts'
import { BulkScale } from './list/BulkScale.tsx'
import { BulkStop } from './list/BulkStop.tsx'
import { pipeColumns } from './list/columns.tsx'
import { listWindow, severityRank } from './metrics/severity.ts'
import { usePipeSamples } from './metrics/usePipeSamples.ts'
import { formatSamplingInterval } from './metrics/SamplingNote.tsx'
import { SamplingErrorNotice } from './metrics/SamplingErrorNotice.tsx'
import { usePipes, type PipeRow } from './list/usePipes.ts'
import { pipeName, isRunning } from './model/pipeLabels.ts'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, services.list, {})
}

export default function PipesPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'pipes', pipes.list.variants)
  if (reason !== undefined || !offered) {
    return (
      <Page title="Data pipes">
        <NotOffered reason={reason ?? ''} />
      </Page>
    )
  }
  return <PipesList />
}

function PipesList() {
  const connection = useConnection()
  const { rows, progress, error, retry } = usePipes(connection, true)
  const [bulk, setBulk] = useState<{ kind: 'scale' | 'stop'; rows: PipeRow[] } | null>(null)
  const table = useTableState()
  const sampling = usePipeSamples(connection, { minutes: listWindow / 60_000 })
  const { samples } = sampling
  const worstFirst = useMemo(
    () =>
      rows
        ?.map((pipe) => ({ pipe, rank: severityRank(pipe, samples.get(pipe.id) ?? []) }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ pipe }) => pipe),
    [rows, samples],
  )
  const columns = useMemo(() => pipeColumns(connection.id, samples), [connection.id, samples])
  const rowActions = useRowActions()
  const disabled = lockReason(connection)
  const newButton = useNewButton('pipe', paths.newPipe(connection.id), disabled)
  const failed = rows?.filter(({ state }) => state === 'Failed' || state === 'InternalError').length ?? 0
  return (
    <Page
      title="Data pipes"
      state={failed > 0 && <StatusChip tone="bad">{failed} failed</StatusChip>}
      lead="Managed ingestion from object storage, streams and databases. Pipes that need attention come first."
      actions={newButton}
    >
      <Box sx={{ '&:not(:empty)': { mb: 3 } }}>
        <SamplingErrorNotice sampling={sampling} />
        {sampling.state && (sampling.error || sampling.state.slowed) && (
          <Typography color="textSecondary" sx={{ mt: 1 }}>
            {formatSamplingInterval(sampling.state)}
          </Typography>
        )}
        {rows?.some(isRunning) && sampling.state?.at == null && !sampling.error && (
          <Typography color="textSecondary" role="status" sx={{ mt: 1 }}>
            Waiting for the first metrics. Overloaded pipes will move to the top.
          </Typography>
        )}
        {rows && progress && (
          <Typography color="textSecondary" role="status" sx={{ mt: 1 }}>
            Loaded the pipes of {progress.read} of {progress.of} services. The rest load as the rate limit allows.
          </Typography>
        )}
      </Box>
      <DataTable
        label="Data pipes"
        rows={worstFirst}
        columns={columns}
        error={error && <QueryError error={error} onRetry={retry} />}
        empty={
          <EmptyState icon={Workflow} title="No data pipes" action={newButton}>
            Data pipes load files, streams and database tables into a service.
          </EmptyState>
        }
        {...table}
        nameOf={pipeName}
        rowActions={rowActions}
        bulkActions={(chosen) => [
          { label: 'Scale', icon: Scaling, disabled, run: () => setBulk({ kind: 'scale', rows: chosen }) },
          { label: 'Stop', icon: Square, disabled, run: () => setBulk({ kind: 'stop', rows: chosen }) },
        ]}
      />
      {bulk?.kind === 'scale' && <BulkScale rows={bulk.rows} onClose={() => setBulk(null)} />}
      {bulk?.kind === 'stop' && <BulkStop rows={bulk.rows} onClose={() => setBulk(null)} />}
    </Page>
  )
}

function useRowActions(): (pipe: PipeRow) => Action[] {
  const connection = useConnection()
  const { id } = connection
  const navigate = useNavigate()
  return useCallback(
    (pipe) => [
      {
        label: 'Edit',
        icon: Pencil,
        disabled: lockReason(connection),
        run: () => void navigate({ to: paths.editPipe(id, pipe.serviceId, pipe.id) }),
      },
      { label: 'Scale', icon: Scaling, run: () => void navigate({ to: paths.scalePipe(id, pipe.serviceId, pipe.id) }) },
      {
        label: 'Settings',
        icon: Settings2,
        run: () => void navigate({ to: paths.pipeSettings(id, pipe.serviceId, pipe.id) }),
      },
      { label: 'Copy ID', icon: Copy, run: () => void copyText(pipe.id, 'ID') },
    ],
    [connection, id, navigate],
  )
}
