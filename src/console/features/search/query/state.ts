/** The state of the search page. All of it is in the URL. */
import { z } from 'zod'
import { addFilter } from '#console/charting/search/filters.ts'
import type { Connection } from '#contract/console/connections.ts'
import { ownServices } from '#contract/stack/ownTelemetry.ts'
import type { Source } from '#contract/stack/sources.ts'
import { isRangeEnd } from '#console/ui/time/range.ts'
import { chosenZone } from '#console/shell/browserSettings.ts'
import { isZone } from '#domain/time/zone.ts'

const text = z.string().max(8192).catch('').default('')
const rangeEnd = z.string().refine(isRangeEnd)

/** A value that cannot be read is replaced by its default, so that a mistyped URL still opens. */
export const searchUrl = z.object({
  source: text,
  q: text,
  lang: z.enum(['lucene', 'sql']).catch('lucene').default('lucene'),
  from: rangeEnd.catch('now-1h').default('now-1h'),
  to: rangeEnd.catch('now').default('now'),
  tz: z.string().refine(isZone).catch(chosenZone).default(chosenZone),
  /** Columns, parted by commas; empty for those of the source. */
  cols: text,
  /** Widths in pixels in the order of the columns, parted by commas; empty for the usual ones. */
  widths: text,
  /** ORDER BY; empty for newest first. */
  order: text,
  /** Fields whose commonest values are shown besides the usual ones, parted by commas. */
  facets: text,
  /** The saved search that is open. */
  saved: text,
  /** `1`: new rows are added as they arrive. */
  live: z.enum(['', '1']).catch('').default(''),
  /** Rows, or the patterns of their messages. */
  view: z.enum(['', 'patterns']).catch('').default(''),
  /** The key of the row whose details are open. */
  row: text,
})
export type SearchState = z.output<typeof searchUrl>

export const isSearchable = ({ kind, disabled }: Source): boolean => (kind === 'log' || kind === 'trace') && !disabled

/** The source of a URL, by ID or name; without one, the first of logs. */
export function sourceOf({ source }: SearchState, sources: readonly Source[]): Source | undefined {
  const searchable = sources.filter(isSearchable)
  if (source !== '') return searchable.find(({ id }) => id === source) ?? searchable.find(({ name }) => name === source)
  return searchable.find(({ kind }) => kind === 'log') ?? searchable[0]
}

/**
 * The condition of a search that somebody begins on a local stack: without the product's own telemetry, which would be
 * most of what arrives. Empty for a source that does not say where it has the service's name.
 */
export function conditionWithoutOwn({ serviceNameExpression: expression }: Source): string {
  if (!expression) return ''
  const known = withoutOwn.get(expression)
  if (known !== undefined) return known
  const condition = Object.values(ownServices).reduce(
    (before, value) => addFilter(before, { expression, value, mode: 'out' }, 'lucene') ?? before,
    '',
  )
  withoutOwn.set(expression, condition)
  return condition
}

/** Conditions that leave out the product's own records, by the expression of the service's name: most sources have the same one. */
const withoutOwn = new Map<string, string>()

/** The state of a URL. A search begins where the URL has neither a source nor a condition. */
export function startedSearch(state: SearchState, { stage }: Pick<Connection, 'stage'>, source: Source): SearchState {
  const begins = stage === 'local' && state.source === '' && state.q === '' && state.saved === ''
  return begins ? { ...state, q: conditionWithoutOwn(source) } : state
}
