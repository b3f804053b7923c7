import type { Span } from '#domain/time/span.ts'
import type { Series } from './series.ts'

/** Leads from a chart to the events (rows) behind it. */
export interface ChartEvents {
  /** Opens the events of a series, or of the whole chart; of a part of its range, or all of it. */
  view: (series: Series | null, span?: Span) => void
  /** Why they cannot be shown; undefined if they can. */
  problemOf: (series: Series | null) => string | undefined
}

/** Explains a part of a chart: which attributes its rows have more or less often than the others. */
export interface ChartExplain {
  /** The part that is explained, which stays marked. */
  span: Span | null
  /** The next range that is selected is explained, and not zoomed into. */
  choosing: boolean
  run: (span: Span) => void
  /** No range is explained after all. */
  cancel: () => void
}
