/** The reason why the explorer's query cannot be sent. */
import { formatDuration } from '#console/ui/time/formatLength.ts'
import { resolveRange } from '#console/ui/time/range.ts'
import { granularitySeconds } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { formatValue } from '#domain/charts/units.ts'
import { estimate, problemsOf } from './query.ts'
import type { ExplorerState } from './state.ts'

/** Whether the state is a question that can be sent. */
export function isReady(state: ExplorerState, sources: readonly Source[]): boolean {
  return blockerOf(state) === null && Object.keys(problemsOf(state, sources)).length === 0
}

interface Blocker {
  message: string
  fix?: Partial<ExplorerState>
  fixLabel?: string
}

/** Why the query cannot be sent, and a query that can. */
export function blockerOf(state: ExplorerState): Blocker | null {
  const clock = { now: Date.now(), zone: state.tz }
  const span = resolveRange(state, clock)
  if ('problem' in span) {
    const message = `${span.problem}.`
    const swapped = { from: state.to, to: state.from }
    return 'problem' in resolveRange(swapped, clock)
      ? { message, fix: { from: 'now-1h', to: 'now' }, fixLabel: 'Show the last hour' }
      : { message, fix: swapped, fixLabel: 'Swap start and end' }
  }
  const { buckets, coarser } = estimate(state.g, span)
  if (coarser === null) return null
  const length = formatDuration(granularitySeconds(coarser, span.from, span.to) * 1000)
  return {
    message: `This range holds ${formatValue(buckets)} buckets. The maximum is 11,000.`,
    fix: { g: coarser },
    fixLabel: `Use buckets of ${length}`,
  }
}
