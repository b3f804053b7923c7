import { useMemo } from 'react'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import { LiveChart } from '#console/charting/sampling/LiveChart.tsx'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { useChartMarkers, useMarkerKey } from '#console/charting/markers/useChartMarkers.tsx'
import { lagLines, throughputLines, usageLines, type SampledPipe } from './chartLines.ts'
import type { SampleRange } from '#console/charting/sampling/SamplingNote.tsx'

interface LiveChartsProps {
  /** One pipe, or all pipes that share a size. */
  pipes: readonly SampledPipe[]
  range: SampleRange
  /** The time of the newest sample, epoch milliseconds. Null without samples. */
  until: number | null
}

/** Charts of throughput, utilization and latency. Metrics that are not reported are named. */
export function LiveCharts({ pipes, range, until }: LiveChartsProps) {
  const drawn = useMemo(() => {
    const within = pipes.map((pipe) => ({ ...pipe, samples: newest(pipe.samples, (until ?? 0) - range.ms) }))
    return {
      throughput: throughputLines(within, range.step),
      usage: usageLines(within, range.step),
      lag: lagLines(within, range.step),
    }
  }, [pipes, range, until])
  const connection = useConnection()
  // Their service may be another one than that of the connection.
  const serviceId = useRouteParam('serviceId')
  useMarkerKey()
  const marks = useChartMarkers({
    connectionId: connection.id,
    serviceId: serviceId === connection.serviceId ? undefined : serviceId,
    dense: true,
  })
  const samples = pipes.flatMap((pipe) => pipe.samples)
  const whose = pipes.length > 1 ? 'these pipes' : 'this pipe'
  /** Set once a sample came without the metric. */
  const absent = (what: string, isThere: (sample: PipeSample) => boolean, unless = '') =>
    samples.length > 0 && !samples.some(isThere)
      ? `The deployment does not report ${what} for ${whose}${unless}.`
      : undefined
  const isUsed = ({ cpu, memory }: PipeSample) => cpu !== null || memory !== null
  const isLimited = ({ cpuLimit, memoryLimit }: PipeSample) => cpuLimit !== null || memoryLimit !== null
  const shared = { range, until, marks }
  return (
    <>
      <LiveChart
        title="Throughput"
        {...drawn.throughput}
        {...(drawn.throughput.unit === 'bytes' && { title: 'Throughput (bytes/s)' })}
        {...shared}
        emptyReason={absent(
          'throughput',
          ({ fetchedEvents, fetchedBytes }) => fetchedEvents !== null || fetchedBytes !== null,
        )}
      />
      <LiveChart
        title="CPU and memory utilization"
        {...drawn.usage}
        {...shared}
        emptyReason={absent('CPU or memory usage', isUsed) ?? absent('CPU or memory limits', isLimited)}
      />
      <LiveChart
        title={drawn.lag.unit === 'bytes' ? 'Replication lag' : 'End-to-end latency'}
        {...drawn.lag}
        {...shared}
        emptyReason={absent(
          'latency or replication lag',
          ({ latency, sourceLag }) => latency !== null || sourceLag !== null,
          // A latency is that of something loaded.
          ', or nothing was loaded',
        )}
      />
    </>
  )
}

function newest(samples: readonly PipeSample[], since: number): readonly PipeSample[] {
  const first = samples.findIndex(({ at }) => at >= since)
  return first <= 0 ? (first === 0 ? samples : []) : samples.slice(first)
}
