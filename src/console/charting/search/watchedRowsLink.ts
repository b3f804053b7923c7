/** The search page's URL for the rows that an alert evaluated: its condition, its source and the times of a window. */
import type { Span } from '#domain/time/span.ts'
import type { WatchedRequest } from '../watched/watchedRequest.ts'
import { valuesOfKey } from '#domain/alerting/tally.ts'
import { withValue } from './filters.ts'
import type { SearchLink } from './searchLink.ts'

/**
 * Null where the search page has no such rows: of metrics, or of a group whose columns its language cannot express.
 *
 * @param group the key of a group, such as `service:checkout`; null for all of them
 */
export function watchedRowsLink(
  { query, alertQuery }: Pick<WatchedRequest, 'query' | 'alertQuery'>,
  { from, to }: Span,
  group: string | null,
): SearchLink | null {
  const { value } = alertQuery
  const index = value.kind === 'series' ? value.index : 0
  const series = query.series[index]
  if (!series || alertQuery.series[index]?.metricName || alertQuery.series[index]?.metricDataType) return null
  const lang = series.whereLanguage === 'sql' ? 'sql' : 'lucene'
  const { groupBy } = alertQuery
  const values = group === null ? [] : valuesOfKey(group, groupBy)
  if (!values) return null
  let where: string | null = series.where ?? ''
  for (const [at, value] of values.entries()) {
    if (where !== null) where = withValue(where, { expression: groupBy[at] ?? '', value }, lang)
  }
  if (where === null) return null
  return { source: alertQuery.sourceId, q: where, lang, from: String(from), to: String(to) }
}
