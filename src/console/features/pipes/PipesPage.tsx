import { pageReads } from '#console/api/queries.ts'
import { useNavigate } from '@tanstack/react-router'
import { Scaling, Settings2, Square } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useOffer } from '#console/api/offers/offers.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { RecordTable } from '#console/records/record/RecordTable.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { services } from '#contract/cloud/services/services.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { pipeColumns } from './list/columns.tsx'
import { listWindow, severityRank } from '#console/charting/sampling/severity.ts'
import { usePipeSamples, type PipeSampling } from './metrics/usePipeSamples.ts'
import { useUnitRate } from '#console/records/scaling/savedRates.ts'
import { formatSamplingInterval, SamplingErrorNotice } from '#console/charting/sampling/SamplingNote.tsx'
import { usePipes, type PipeRow } from './list/usePipes.ts'
import { isRunning } from './model/pipeLabels.ts'
import { pipeResource } from './model/pipeResource.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './pipes.module.css'

const BulkStop = lazyComponent(async () => (await import('./list/BulkStop.tsx')).BulkStop)
const BulkScale = lazyComponent(async () => (await import('./list/BulkScale.tsx')).BulkScale)

export const reads = pageReads(services.list)

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
  const { id } = connection
  const navigate = useNavigate()
  const { rows, progress, error, retry } = usePipes(connection)
  const [bulk, setBulk] = useState<{ kind: 'scale' | 'stop'; rows: PipeRow[] } | null>(null)
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
  const rate = useUnitRate(id)
  const columns = useMemo(() => pipeColumns(id, samples, rate), [id, samples, rate])
  const disabled = lockReason(connection)
  return (
    <RecordTable<PipeRow>
      resource={pipeResource}
      read={{ data: worstFirst, error, refetch: retry }}
      newPath={paths.newPipe(id)}
      lead="Managed ingestion from object storage, streams and databases. Pipes that need attention come first."
      columns={columns}
      links={<LinkButton to={paths.rightSizing(id)}>Right-sizing</LinkButton>}
      emptyTitle="No data pipes"
      empty="Data pipes load files, streams and database tables into a service."
      renderState={(pipes) => <FailedChip pipes={pipes} />}
      notice={<ListNotices sampling={sampling} rows={rows} progress={progress} />}
      keyOf={(pipe) => [pipe.serviceId, pipe.id]}
      rowActions={(pipe) => [
        {
          label: 'Scale',
          icon: Scaling,
          run: () => void navigate({ to: paths.scalePipe(id, pipe.serviceId, pipe.id) }),
        },
        {
          label: 'Settings',
          icon: Settings2,
          run: () => void navigate({ to: paths.pipeSettings(id, pipe.serviceId, pipe.id) }),
        },
      ]}
      bulkActions={(chosen) => [
        { label: 'Scale', icon: Scaling, disabled, run: () => setBulk({ kind: 'scale', rows: chosen }) },
        { label: 'Stop', icon: Square, disabled, run: () => setBulk({ kind: 'stop', rows: chosen }) },
      ]}
    >
      {bulk?.kind === 'scale' && <BulkScale rows={bulk.rows} onClose={() => setBulk(null)} />}
      {bulk?.kind === 'stop' && <BulkStop rows={bulk.rows} onClose={() => setBulk(null)} />}
    </RecordTable>
  )
}

function FailedChip({ pipes }: { pipes: readonly PipeRow[] }) {
  const failed = pipes.filter(({ state }) => state === 'Failed' || state === 'InternalError').length
  return failed > 0 && <StatusChip tone="bad">{failed} failed</StatusChip>
}

type ListNoticesProps = Pick<ReturnType<typeof usePipes>, 'rows' | 'progress'> & { sampling: PipeSampling }

/** How far pipes and metrics are loaded. */
function ListNotices({ sampling, rows, progress }: ListNoticesProps) {
  return (
    <div className={css.listNotices}>
      <SamplingErrorNotice sampling={sampling} />
      {sampling.state && (sampling.error || sampling.state.slowed) && (
        <Text color="textSecondary" className={css.pipesStatus}>
          {formatSamplingInterval(sampling.state)}
        </Text>
      )}
      {rows?.some(isRunning) && sampling.state?.at == null && !sampling.error && (
        <Text color="textSecondary" role="status" className={css.pipesStatus}>
          Waiting for the first metrics. Overloaded pipes will move to the top.
        </Text>
      )}
      {rows && progress && (
        <Text color="textSecondary" role="status" className={css.pipesStatus}>
          Loaded the pipes of {progress.read} of {progress.of} services. The rest load as the rate limit allows.
        </Text>
      )}
    </div>
  )
}
