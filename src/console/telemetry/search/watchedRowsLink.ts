/** The search page's URL for the rows that an alert evaluated: its condition, its source and the times of a window. */
import type { WatchedRequest } from '../watched/watchedRequest.ts'
import { addFilter } from './filters.ts'
import type { SearchLink } from './searchLink.ts'

/**
 * Null where the search page has no such rows: of metrics, or of a group whose columns its language cannot express.
 *
 * @param group the key of a group, such as `service:checkout`; null for all of them
 */
export function watchedRowsLink(
  { query, alertQuery }: Pick<WatchedRequest, 'query' | 'alertQuery'>,
  { from, to }: { from: number; to: number },
  group: string | null,
): SearchLink | null {
  const { value } = alertQuery
  const index = value.kind === 'series' ? value.index : 0
  const series = query.series[index]
  if (!series || alertQuery.series[index]?.metricName || alertQuery.series[index]?.metricDataType) return null
  const lang = series.whereLanguage === 'sql' ? 'sql' : 'lucene'
  const values = group === null ? [] : groupValues(group, alertQuery.groupBy)
  if (!values) return null
  let where: string | null = series.where ?? ''
  for (const [expression, text] of values) {
    if (where !== null) where = addFilter(where, { expression, value: text, mode: 'in' }, lang)
  }
  if (where === null) return null
  return { source: alertQuery.sourceId, q: where, lang, from: String(from), to: String(to) }
}

/** The columns of a group and their values; null if the key has other columns. A value may contain anything. */
function groupValues(key: string, columns: readonly string[]): [column: string, value: string][] | null {
  const starts: number[] = []
  for (const column of columns) {
    const before = starts.length === 0 ? '' : ', '
    const at = key.indexOf(`${before}${column}:`, starts.at(-1) ?? 0)
    if (at < 0 || (before === '' && at !== 0)) return null
    starts.push(at + before.length)
  }
  return columns.map((column, at) => {
    const next = starts[at + 1]
    return [column, key.slice((starts[at] ?? 0) + column.length + 1, next === undefined ? undefined : next - 2)]
  })
}
