/** The series of a service's charts, from the samples of its metrics. */
import type { Series } from '#console/ui/series/series.ts'
import { gaugePoints, ratePoints, type SampleSelector } from '#console/charting/sampling/series.ts'
import type { ServiceSample } from '#contract/console/sampling/serviceSamples.ts'

type Measure = SampleSelector<ServiceSample>

interface Line {
  id: string
  label: string
  value: Measure
  /** A counter is drawn as its rate per second. */
  kind: 'counter' | 'gauge'
}

export interface ServiceChart {
  title: string
  unit: string
  /** The text where no sample has it: "The deployment does not report …". */
  what: string
  lines: readonly Line[]
}

export const serviceCharts: readonly ServiceChart[] = [
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
export function chartSeries({ lines }: ServiceChart, samples: readonly ServiceSample[], step: number): Series[] {
  return lines.flatMap(({ id, label, value, kind }) => {
    const points = kind === 'counter' ? ratePoints(samples, value, step) : gaugePoints(samples, value, step)
    return points.some(([, known]) => known !== null) ? [{ id, label, points }] : []
  })
}

/** Whether any sample has a value for the chart. */
export const isReported = ({ lines }: ServiceChart, samples: readonly ServiceSample[]): boolean =>
  samples.some((sample) => lines.some(({ value }) => value(sample) !== null))
