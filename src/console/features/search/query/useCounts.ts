/** Counts of the rows of a search: over time, and by the values of a field. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Source } from '#contract/stack/sources.ts'
import { alignToBuckets, totalGranularity } from '#domain/series/bucketAlignment.ts'
import { addPoints, type Groups } from '#console/charting/series/groupValues.ts'
import { queryCharts } from '#console/charting/queryCharts.ts'
import type { Series } from '#console/ui/series/series.ts'
import { resolveRange } from '#console/ui/time/range.ts'
import type { Span } from '#domain/time/span.ts'
import { severityField } from '#console/charting/rows/columns.ts'
import type { SearchState } from './state.ts'

type Question = Pick<SearchState, 'q' | 'lang' | 'from' | 'to' | 'tz'>
const questionOf = ({ q, lang, from, to, tz }: SearchState): Question => ({ q, lang, from, to, tz })

function spanOf({ from, to, tz }: Question, now: number): Span {
  const span = resolveRange({ from, to }, { now, zone: tz })
  if ('problem' in span) throw new RangeError(span.problem)
  return span
}

const seriesOf = ({ q, lang }: Question, source: Source, groupBy: string) => [
  { sourceId: source.id, aggFn: 'count' as const, where: q, whereLanguage: lang, groupBy: [groupBy] },
]

interface Histogram {
  series: Series[]
  span: Span
  bucketMs: number
  readAt: number
  total: number
  values: ValueCount[]
}

export interface ValueCount {
  value: string
  count: number
}

/** The number of rows over time by severity. */
export function histogramQuery(connectionId: string, state: SearchState, source: Source) {
  const question = questionOf(state)
  return queryOptions({
    queryKey: [connectionId, 'charts', 'histogram', source.id, question] as const,
    queryFn: async ({ signal, queryKey: read }): Promise<Histogram> => {
      const readAt = Date.now()
      const asked = spanOf(question, readAt)
      const { granularity, bucketMs, span, timezone } = alignToBuckets(asked, 'auto', question.tz)
      const range = question.from.startsWith('now') ? span : asked
      const body = {
        startTime: range.from,
        endTime: range.to,
        granularity,
        ...(timezone !== undefined && { timezone }),
        series: seriesOf(question, source, severityField(source)),
      }
      const groups: Groups = new Map()
      addPoints(groups, await queryCharts(connectionId, body, [source], { signal, read }), {
        first: 0,
        count: 1,
        total: 1,
      })
      const lines = [...groups.values()].map(({ group, values }): Series => ({
        id: group[0] ?? '',
        label: group[0] ?? '',
        points: [...(values[0] ?? [])].toSorted(([a], [b]) => a - b),
      }))
      const values = lines.map(({ label, points }) => ({
        value: label,
        count: points.reduce((sum, [, count]) => sum + (count ?? 0), 0),
      }))
      return {
        series: lines.toSorted((a, b) => severity(a.label) - severity(b.label)),
        span: range,
        bucketMs,
        readAt,
        total: values.reduce((sum, { count }) => sum + count, 0),
        values: values.toSorted((a, b) => b.count - a.count),
      }
    },
    staleTime: 60_000,
  })
}

/** Errors are at the base of the histogram. */
const order = [/^(fatal|critical|emerg)/i, /err/i, /warn/i, /^(info|notice|ok)/i, /debug/i, /trace/i]
function severity(label: string): number {
  const at = order.findIndex((pattern) => pattern.test(label))
  return at < 0 ? order.length : at
}

export function useHistogram(connectionId: string, state: SearchState, source: Source) {
  return useQuery({ ...histogramQuery(connectionId, state, source), placeholderData: keepPreviousData })
}

/** The commonest values of a field among the rows of a search. */
export function useFacet(connectionId: string, state: SearchState, source: Source, field: string, enabled: boolean) {
  const question = questionOf(state)
  return useQuery({
    queryKey: [connectionId, 'charts', 'facet', source.id, question, field] as const,
    queryFn: async ({ signal }): Promise<ValueCount[]> => {
      const span = spanOf(question, Date.now())
      const body = {
        startTime: span.from,
        endTime: span.to,
        granularity: totalGranularity(span),
        series: seriesOf(question, source, field),
      }
      const groups: Groups = new Map()
      addPoints(groups, await queryCharts(connectionId, body, [source], { signal, priority: 'background' }), {
        first: 0,
        count: 1,
        total: 1,
      })
      return [...groups.values()]
        .map(({ group, values }) => ({
          value: group[0] ?? '',
          count: [...(values[0]?.values() ?? [])].reduce<number>((sum, count) => sum + (count ?? 0), 0),
        }))
        .toSorted((a, b) => b.count - a.count)
    },
    enabled,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
