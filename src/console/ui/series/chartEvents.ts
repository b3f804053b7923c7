import type { Span } from '#domain/time/span.ts'
import type { Series } from './series.ts'

/** Leads from a chart to the events (rows) behind it. */
export interface ChartEvents {
  /** Opens the events of a series, or of the whole chart; of a part of its range, or all of it. */
  view: (series: Series | null, span?: Span) => void
  /** Why they cannot be shown; undefined if they can. */
  problemOf: (series: Series | null) => string | undefined
}
