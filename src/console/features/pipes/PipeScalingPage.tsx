import { useMemo } from 'react'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { pipeReads, pipeResource, pipeKey } from './model/pipeResource.ts'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { pipeFamilies, pipeKind, type PipeFamily } from '#contract/cloud/pipeKinds.ts'
import { pipeScalingInput } from '#contract/cloud/pipes/pipeScaling.ts'
import { pipes, simulatedDetail, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { LivePanels } from './metrics/LivePanels.tsx'
import { useLiveMetrics } from './metrics/useLiveMetrics.ts'
import { formatPipeKind, pipeName, sizeName, stateLabel, stateTone } from './model/pipeLabels.ts'
import { pipeSizeOf } from './scaling/cost.ts'
import { effectiveValues, parametersFor, requestedValues } from './model/scalingParameters.ts'
import { ScalingEditor } from './scaling/ScalingEditor.tsx'
import { suggestedScaling } from './scaling/suggestion.ts'
import { hasStreamPosition } from './model/streamKinds.ts'
import { sliderTarget } from './scaling/scalingTarget.ts'
import { isSameSize, sendScaling } from './scaling/writeScaling.ts'
import * as css from './pipes.module.css'

export { pipeReads as reads }

export default function PipeScalingPage() {
  return (
    <ResourceLoader resource={pipeResource} title="Scale data pipe">
      {(pipe, { dataUpdatedAt, error }) => (
        <PipeScaling key={pipe.id} pipe={pipe} reportedAt={dataUpdatedAt} unreachable={error !== null} />
      )}
    </ResourceLoader>
  )
}

const StreamPosition = lazyComponent(async () => (await import('./stream/StreamPosition.tsx')).StreamPosition)

const leads: Record<PipeFamily, string> = {
  streaming:
    'Each replica reads its own partitions or shards, so replicas beyond their number do nothing. More memory per replica allows larger inserts.',
  objectStorage: 'Higher concurrency loads files faster and uses more memory of the service. 0 means automatic.',
  database: 'All database pipes of a service share one size.',
}

interface PipeScalingProps {
  pipe: Pipe
  /** Epoch milliseconds. */
  reportedAt: number
  unreachable: boolean
}

/** The scaling page of one pipe, with its live metrics. */
function PipeScaling({ pipe, reportedAt, unreachable }: PipeScalingProps) {
  const connection = useConnection()
  const serviceId = useRouteParam('serviceId')
  const kind = pipeKind(pipe)
  const { applicable, inapplicable } = useMemo(() => parametersFor(kind), [kind])
  const params = { serviceId, dataPipeId: pipe.id }
  const resource = pipeKey(connection.id, pipe.id)
  const live = useLiveMetrics(
    useMemo(() => [pipe], [pipe]),
    resource,
  )
  const isSized = applicable.some(({ field }) => field === 'replicas')

  const command = (values: Record<string, number>) => {
    const body = pipeScalingInput.safeParse(values)
    return curlOf(connection, body.success ? pipes.scaling : pipes.get, {
      params,
      ...(body.success && { body: body.data }),
    })
  }
  return (
    <ScalingEditor
      parameters={applicable}
      target={sliderTarget<Pipe>({
        resource,
        noun: 'pipe',
        base: pipe,
        reportedAt,
        record: pipes.get.result,
        parameters: applicable,
        effective: effectiveValues,
        requested: requestedValues,
        unchanged: (now, values) => isSameSize(pipe, now, Object.keys(values)),
        read: () => call(connection.id, pipes.get, { params }, { priority: 'readBack' }),
        write: (values, current) => sendScaling(connection.id, params, values, current),
        keep: (now) => void queryClient.setQueryData(q(connection.id, pipes.get, { params }).queryKey, now),
        reload: () => void invalidate(connection.id, 'pipes'),
      })}
      title={`Scale ${pipeName(pipe)}`}
      state={<StateChips pipe={pipe} />}
      lead={
        kind
          ? leads[pipeFamilies[kind]]
          : 'The console does not know this source type. The deployment checks the values.'
      }
      inapplicable={applicable.length === 0 ? [] : inapplicable}
      instead={
        applicable.length === 0 && (
          <LinkButton
            to={paths.pipeSize(connection.id, serviceId)}
            variant="contained"
            color="primary"
            className={css.pipeScalingLink}
          >
            Scale database pipes
          </LinkButton>
        )
      }
      sizeName={(values) =>
        sizeName({ cpu: values.replicaCpuMillicores ?? null, memory: values.replicaMemoryGb ?? null })
      }
      sizeOf={isSized ? pipeSizeOf : undefined}
      suggest={isSized ? suggestedScaling : undefined}
      projected={isSized ? live.sampled[0]?.samples : undefined}
      note={kind === 'objectStorage' ? 'Concurrency does not affect the cost of this pipe.' : undefined}
      command={command}
      action="Scale pipe"
      back={paths.pipe(connection.id, serviceId, pipe.id)}
      unreachable={unreachable}
      live={live}
      aside={
        <Column gap={12}>
          {hasStreamPosition(pipe) && <StreamPosition pipe={pipe} />}
          <LivePanels live={live} />
        </Column>
      }
    />
  )
}

function StateChips({ pipe }: { pipe: Pipe }) {
  return (
    <>
      <StatusChip tone={stateTone(pipe.state)}>{stateLabel(pipe.state)}</StatusChip>
      <StatusChip tone="neutral">{formatPipeKind(pipe)}</StatusChip>
      {pipe.stateDetail === simulatedDetail && <StatusChip tone="accent">Simulated</StatusChip>}
    </>
  )
}
