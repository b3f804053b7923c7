/** The question that "Explain this" asks about a part of a chart, and its answer. */
import type { ChartQuery, ChartSeries } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Sides } from '#domain/explanation/attributeCounts.ts'
import type { RankedAttribute } from '#domain/explanation/rankAttributes.ts'
import type { Span } from '#domain/time/span.ts'

/** The range and buckets of a chart, as its query has them. */
type ChartRange = Pick<ChartQuery, 'startTime' | 'endTime' | 'granularity' | 'timezone'>

/** A series of the chart, whose rows are compared. */
export interface Subject {
  /** Its place in the chart. */
  index: number
  label: string
  source: Source
  series: Pick<ChartSeries, 'aggFn' | 'where' | 'whereLanguage' | 'metricName' | 'metricDataType' | 'field'>
}

/** A chart whose parts can be explained. */
export interface ExplainedChart {
  range: ChartRange
  /** The series whose rows can be read. */
  subjects: readonly Subject[]
  /** Why no part can be explained; undefined if it can. */
  problem: string | undefined
}

/** Values of a heatmap, which are a part of it together with a range of time. */
export interface ValueRange {
  /** The distributed value as a text, in SQL. Rows in which it is no number are not in the chart. */
  text: string
  /** The column that has it, if it is one. */
  column: string | undefined
  /** The least number in the chart. */
  lowest: number
  /** [from, to), null for no bound. */
  from: number | null
  to: number | null
  /** The range as it is shown. */
  label: string
}

export interface Question {
  /** The selected part of the chart, which is compared with the rest of `range`. */
  inside: Span
  /** The values of the part, where the chart is a heatmap. */
  values?: ValueRange | undefined
  range: ChartRange
  subject: Subject
}

export interface ExplainedAttribute extends RankedAttribute {
  /** The shares are those of the sum of the values of a metric, and not of their number. */
  bySum?: boolean
}

export interface Explanation {
  ranked: ExplainedAttribute[]
  /** Attributes that were compared, with those that do not differ. */
  attributes: number
  /** Attributes that were left out because their numbers rise with the time. */
  clocks: string[]
  /** Rows, or points of time series, that were read, and that there are. */
  read: Sides<number>
  total: Sides<number>
  requests: number
  /** From rows of searches, from the time series of a metric, or from what the deployment counted itself. */
  way: 'rows' | 'series' | 'counts'
  /** Rows that the deployment read to count, and the attributes that it did not count because too few rows have them. */
  counted?: { rowsRead: number; leftOut: number }
}

export interface ReadOptions {
  signal: AbortSignal
  /** Called after each request: how many are done, and of how many as far as it is known. */
  onProgress: (done: number, all: number) => void
}

/** The range of the chart around the part, in milliseconds. */
export const wholeOf = ({ range, inside }: Question): Span => ({
  from: Math.min(range.startTime, inside.from),
  to: Math.max(range.endTime, inside.to),
})
