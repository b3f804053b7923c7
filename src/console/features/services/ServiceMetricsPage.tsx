import { useState } from 'react'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { serviceReads, serviceResource } from './model/serviceResource.ts'
import { ServiceTabs } from './parts/ServiceTabs.tsx'
import { asFailure } from '#console/api/failure.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LiveChart } from '#console/charting/sampling/LiveChart.tsx'
import {
  SamplingErrorNotice,
  sampleRanges,
  SamplingNote,
  SamplingNotePlace,
  type SampleRange,
} from '#console/charting/sampling/SamplingNote.tsx'
import { useSamples } from '#console/charting/sampling/useSamples.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { PanelGrid } from '#console/ui/layout/PanelGrid.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { pagePaths } from '#contract/console/pagePaths.ts'
import type { ServiceSample, ServiceSamples } from '#contract/console/sampling/serviceSamples.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { serviceName, stateLabel } from './model/serviceLabels.ts'
import { CostPanel } from './metrics/CostPanel.tsx'
import type { Series } from '#console/ui/series/series.ts'
import { gaugePoints, ratePoints, type SampleSelector } from '#console/charting/sampling/series.ts'

export { serviceReads as reads }

export default function ServiceMetricsPage() {
  return (
    <ResourceLoader resource={serviceResource} title="Metrics and cost" nav={<ServiceTabs />}>
      {(service) => <ServiceMetrics key={service.id} service={service} />}
    </ResourceLoader>
  )
}

/** Minutes of samples to request: as many as the gateway keeps. */
const keptMinutes = 120
const none: readonly ServiceSample[] = []

/** The current metrics and the cost of a service. */
function ServiceMetrics({ service }: { service: Service }) {
  return (
    <Page
      title={`Metrics and cost of ${serviceName(service)}`}
      lead="What the deployment reports about the service, and what it bills for each day."
      nav={<ServiceTabs />}
    >
      <Column gap={16}>
        <LiveMetrics service={service} />
        <CostPanel service={service} />
      </Column>
    </Page>
  )
}

function LiveMetrics({ service }: { service: Service }) {
  const connection = useConnection()
  const [range, setRange] = useState<SampleRange>(sampleRanges[0])
  const sampling = useSamples(connection, {
    path: pagePaths.serviceSamples,
    query: { service: service.id },
    minutes: keptMinutes,
    groupsOf: ({ samples }: ServiceSamples) => (samples.length > 0 ? [{ id: service.id, samples }] : []),
  })
  const { state, error, retry } = sampling
  const samples = sampling.samples.get(service.id) ?? none
  const code = error && asFailure(error).code
  if ((code === 'notOffered' || code === 'notFound') && samples.length === 0) {
    return (
      <Panel title="Metrics" flush>
        <PanelText>This deployment does not provide metrics of services.</PanelText>
      </Panel>
    )
  }
  if (error && samples.length === 0) {
    return (
      <Panel title="Metrics">
        <QueryError error={error} onRetry={retry} />
      </Panel>
    )
  }
  const until = state?.at ?? null
  const within = samples.filter(({ at }) => at >= (until ?? 0) - range.ms)
  const missing = samples.length > 0 ? missingReason(samples) : undefined
  return (
    <Column gap={12}>
      <SamplingErrorNotice sampling={sampling} />
      {missing === undefined ? (
        <PanelGrid>
          {serviceCharts.map((chart) => (
            <LiveChart
              key={chart.title}
              title={chart.title}
              series={chartSeries(chart, within, range.step)}
              unit={chart.unit}
              range={range}
              until={until}
              emptyReason={
                samples.length > 0 && !isReported(chart, samples)
                  ? `The deployment does not report ${chart.what} of this service.`
                  : undefined
              }
            />
          ))}
        </PanelGrid>
      ) : (
        <Panel title="Metrics">
          <Notice tone="info">{missing}</Notice>
        </Panel>
      )}
      {state ? (
        <SamplingNote state={state} since={samples[0]?.at} range={range} onRange={setRange} />
      ) : (
        <SamplingNotePlace />
      )}
    </Column>
  )
}

/** Why the deployment reports no metric of the service at all; undefined if it reports any. */
function missingReason(samples: readonly ServiceSample[]): string | undefined {
  if (serviceCharts.some((chart) => isReported(chart, samples))) return undefined
  const status = samples.at(-1)?.status
  if (status && !['running', 'degraded'].includes(status)) {
    return `The service is ${stateLabel(status).toLowerCase()}: deployments report its metrics only while it runs.`
  }
  return 'The deployment reports that the service runs, but none of its metrics. In a local stack all services share one engine, whose use is only measured for the stack itself.'
}

type Measure = SampleSelector<ServiceSample>

interface Line {
  id: string
  label: string
  value: Measure
  /** A counter is drawn as its rate per second. */
  kind: 'counter' | 'gauge'
}

interface ServiceChart {
  title: string
  unit: string
  /** The text where no sample has it: "The deployment does not report …". */
  what: string
  lines: readonly Line[]
}

const serviceCharts: readonly ServiceChart[] = [
  {
    title: 'Queries per second',
    unit: 'queries/s',
    what: 'queries',
    lines: [
      { id: 'queries', label: 'All', value: ({ queries }) => queries, kind: 'counter' },
      { id: 'failed', label: 'Failed', value: ({ failedQueries }) => failedQueries, kind: 'counter' },
    ],
  },
  {
    title: 'Rows per second',
    unit: 'rows/s',
    what: 'rows',
    lines: [
      { id: 'selected', label: 'Read', value: ({ selectedRows }) => selectedRows, kind: 'counter' },
      { id: 'inserted', label: 'Inserted', value: ({ insertedRows }) => insertedRows, kind: 'counter' },
    ],
  },
  {
    title: 'Memory',
    unit: 'bytes',
    what: 'memory',
    lines: [{ id: 'memory', label: 'Memory', value: ({ memory }) => memory, kind: 'gauge' }],
  },
  {
    title: 'Running queries',
    unit: 'number',
    what: 'running queries',
    lines: [{ id: 'running', label: 'Running queries', value: ({ runningQueries }) => runningQueries, kind: 'gauge' }],
  },
]

/** The series of a chart, without those that are not known at any time. Buckets of `step` milliseconds. */
function chartSeries({ lines }: ServiceChart, samples: readonly ServiceSample[], step: number): Series[] {
  return lines.flatMap(({ id, label, value, kind }) => {
    const points = kind === 'counter' ? ratePoints(samples, value, step) : gaugePoints(samples, value, step)
    return points.some(([, known]) => known !== null) ? [{ id, label, points }] : []
  })
}

/** Whether any sample has a value for the chart. */
const isReported = ({ lines }: ServiceChart, samples: readonly ServiceSample[]): boolean =>
  samples.some((sample) => lines.some(({ value }) => value(sample) !== null))
