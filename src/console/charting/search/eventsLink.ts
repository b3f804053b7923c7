/** From a chart's query to the search for the rows behind it: what every "View events" uses. */
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { labeledValue } from '../series/groupValues.ts'
import { withValue } from './filters.ts'
import type { SearchLink } from './searchLink.ts'

export interface EventsQuery {
  /** A series of logs or traces. */
  series: Pick<ChartQuery['series'][number], 'sourceId' | 'where' | 'whereLanguage'>
  /** The expressions that the chart is grouped by, and the labels of one group's values; none for all groups. */
  groupBy: readonly string[]
  group?: readonly string[] | undefined
  /** Relative or epoch milliseconds. */
  from: string
  to: string
}

export type EventsLink = { link: SearchLink; problem?: undefined } | { link?: undefined; problem: string }

/** The search for the rows of a series and, with a group, of that group alone; the reason if there is none. */
export function eventsLink({ series, groupBy, group, from, to }: EventsQuery, sources: readonly Source[]): EventsLink {
  const problem = searchProblem(series.sourceId, sources)
  if (problem !== undefined) return { problem }
  const values =
    group && group.length > 0
      ? groupBy.map((expression, at) => ({ expression, value: labeledValue(group[at] ?? '') }))
      : []
  const own = { q: series.where?.trim() ?? '', lang: series.whereLanguage ?? 'lucene' }
  const sql = { q: '', lang: 'sql' as const }
  // A condition that is empty can be written in the language that has functions, and distinguishes NULL from no text.
  const starts = values.some(({ value }) => value === null) ? [sql, own] : [own, sql]
  for (const start of own.q === '' ? starts : [own]) {
    const q = values.reduce<string | null>(
      (where, value) => (where === null ? null : withValue(where, value, start.lang)),
      start.q,
    )
    if (q !== null) return { link: { source: series.sourceId, q, lang: start.lang, from, to } }
  }
  return { problem: `The field:value language cannot express this group (${groupBy.join(', ')}).` }
}

/** Why a source has no rows to show; undefined if it has. */
export function searchProblem(sourceId: string, sources: readonly Source[]): string | undefined {
  const source = sources.find(({ id }) => id === sourceId)
  if (!source) return 'The source was not found.'
  if (source.kind === 'log' || source.kind === 'trace') return undefined
  return `Only logs and traces have events to view, not sources of kind ${source.kind}.`
}
