/** The search page's URL for a search: what other pages link to. */
import type { SavedSearch } from '#contract/savedSearches.ts'
import { readPinnedFilter } from '#domain/savedSearches/pinnedFilter.ts'
import { luceneField, type Language } from '../conditions.ts'

/** The URL parameters of the search page that a link sets. Those left out have their defaults. */
export interface SearchLink {
  /** A source by ID or name. */
  source?: string
  q?: string
  lang?: Language
  /** Relative (`now-1h`) or epoch milliseconds. */
  from?: string
  to?: string
  /** Columns, parted by commas. */
  cols?: string
  order?: string
  /** The ID of the saved search that is open. */
  saved?: string
}

/** The URL parameters that open a saved search, with its pinned filters as part of the condition. */
export function savedSearchLink(search: SavedSearch): SearchLink {
  const lang: Language = search.whereLanguage === 'sql' ? 'sql' : 'lucene'
  const pinned = (search.filters ?? []).flatMap(({ type = 'sql', condition = '' }) =>
    type === lang ? condition : type === 'sql' ? (luceneOf(condition) ?? []) : [],
  )
  const parts = [search.where?.trim() ?? '', ...pinned].filter((part) => part !== '')
  return {
    saved: search.id,
    source: search.sourceId,
    q:
      parts.length > 1
        ? parts.map((part) => (/\sor\s/i.test(part) ? `(${part})` : part)).join(' AND ')
        : parts.join(''),
    lang,
    ...(search.select && { cols: search.select }),
    ...(search.orderBy && { order: search.orderBy }),
  }
}

/** A pinned filter in the field:value language; null where that has no such condition. */
function luceneOf(condition: string): string | null {
  const filter = readPinnedFilter(condition)
  const field = filter && luceneField(filter.column)
  if (!filter || !field) return null
  if (filter.operator === 'BETWEEN') return `${field}:[${filter.literals.join(' TO ')}]`
  const terms = filter.literals.map((literal) => `${field}:"${textOf(literal).replace(/[\\"]/g, '\\$&')}"`)
  const any = terms.length === 1 ? terms.join('') : `(${terms.join(' OR ')})`
  return filter.operator === 'IN' ? any : `NOT ${any}`
}

function textOf(literal: string): string {
  if (!literal.startsWith("'")) return literal
  return literal.slice(1, -1).replace(/\\(.)|''/gs, (_, escaped: string | undefined) => escaped ?? "'")
}
