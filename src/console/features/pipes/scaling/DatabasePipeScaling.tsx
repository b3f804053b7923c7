import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#console/api/call.ts'
import { curlOf } from '#console/api/curl.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { cdcRatioProblem, cdcScalingInput, type CdcScaling } from '#contract/cloud/pipes/pipeScaling.ts'
import { pipes, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { LivePanels } from '../metrics/LivePanels.tsx'
import { useLiveMetrics } from '../metrics/useLiveMetrics.ts'
import { isDatabasePipe } from '../model/pipeLabels.ts'
import { cdcEffectiveValues, cdcScalingParameters, cdcScalingTitles, type Values } from '../model/scalingParameters.ts'
import { ScalingEditor } from './ScalingEditor.tsx'
import { sliderTarget } from './scalingTarget.ts'
import { suggestedSharedSize } from './suggestion.ts'

interface DatabasePipeScalingProps {
  title: string
  /** The key of the size in pending changes. */
  resource: string
  size: CdcScaling
  /** Epoch milliseconds. */
  reportedAt: number
  unreachable: boolean
}

/** The scaling page of the size that the database pipes of a service share. */
export function DatabasePipeScaling({ title, resource, size, reportedAt, unreachable }: DatabasePipeScalingProps) {
  const connection = useConnection()
  const serviceId = useRouteParam('serviceId')
  const input = { params: { serviceId } }
  const { data, error, refetch } = useQuery(q(connection.id, pipes.list, input))
  const live = useLiveMetrics(
    useMemo(() => data?.filter(isDatabasePipe) ?? none, [data]),
    resource,
  )

  const before = cdcEffectiveValues(size)
  const command = (values: Record<string, number>) => {
    const body = cdcScalingInput.safeParse(values)
    return body.success ? curlOf(connection, pipes.updateCdcScaling, { ...input, body: body.data }) : null
  }
  return (
    <ScalingEditor
      parameters={cdcScalingParameters}
      target={sliderTarget<CdcScaling>({
        resource,
        noun: 'size',
        base: size,
        reportedAt,
        record: pipes.cdcScaling.result,
        parameters: cdcScalingParameters,
        effective: cdcEffectiveValues,
        validate: ratio,
        unchanged: (now, values) =>
          Object.keys(values).every((field) => cdcEffectiveValues(now)[field] === before[field]),
        read: () => call(connection.id, pipes.cdcScaling, input, { priority: 'readBack' }),
        write: (values, current) =>
          call(
            connection.id,
            pipes.updateCdcScaling,
            { ...input, body: cdcScalingInput.parse(values) },
            { base: current, titles: cdcScalingTitles, record: 'The shared size of database pipes' },
          ),
        keep: (now) => void queryClient.setQueryData(q(connection.id, pipes.cdcScaling, input).queryKey, now),
      })}
      title={title}
      state={null}
      lead="All Postgres, MySQL, MongoDB and BigQuery pipes of the service share this size, for the initial load and for replication."
      inapplicable={[]}
      sizeName={() => null}
      sizeOf={sizeOf}
      suggest={suggestedSharedSize}
      command={command}
      couple={coupledValues}
      action="Scale database pipes"
      back={paths.service(connection.id, serviceId)}
      unreachable={unreachable}
      live={live}
      aside={
        data || !error ? (
          <LivePanels live={live} />
        ) : (
          <Panel>
            <QueryError error={error} onRetry={() => void refetch()} />
          </Panel>
        )
      }
    />
  )
}

const none: readonly Pipe[] = []

const sharedSize = (values: Values): CdcScaling => ({
  replicaCpuMillicores: values.replicaCpuMillicores ?? 0,
  replicaMemoryGb: values.replicaMemoryGb ?? 0,
})

const sizeOf = (values: Values) => ({ replicas: 1, ...sharedSize(values) })

const ratio = (values: Values) => cdcRatioProblem(sharedSize(values))

/** Memory in GiB is four times the cores: changing one changes the other. */
function coupledValues(field: string, value: number): Record<string, number> {
  return field === 'replicaMemoryGb' ? { replicaCpuMillicores: value * 250 } : { replicaMemoryGb: value / 250 }
}
