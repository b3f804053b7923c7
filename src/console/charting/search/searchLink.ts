/** The search page's URL for a search: what other pages link to. */
import type { SavedSearch } from '#contract/stack/savedSearches.ts'
import { readPinnedFilter } from '#domain/query/pinnedFilter.ts'
import { isOneOf, negated, term } from '#domain/query/conditions.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import type { Language } from '../conditions/conditions.ts'
import { allConditions } from '../conditions/allConditions.ts'
import { joinedSql, withSqlPart } from '#domain/query/sqlParts.ts'

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
  return {
    saved: search.id,
    source: search.sourceId,
    q: allOf([search.where ?? '', ...pinned], lang),
    lang,
    ...(search.select && { cols: search.select }),
    ...(search.orderBy && { order: search.orderBy }),
  }
}

/** One condition that holds where all of them hold; blank ones are left out. */
function allOf(conditions: readonly string[], language: Language): string {
  const texts = conditions.map((text) => text.trim()).filter((text) => text !== '')
  if (texts.length < 2) return texts.join('')
  const joined = allConditions(texts.map((text) => ({ text, language })))
  // The page says what is wrong with it.
  if ('problem' in joined) return joined.problem === 'invalid' ? joined.condition.text : (texts[0] ?? '')
  if (language === 'lucene') return joined.text
  // A filter stays one that the page knows.
  const [own = '', ...pinned] = texts
  return pinned.reduce((where, text) => withSqlPart(where, readPinnedFilter(text) ? text : joinedSql([text])), own)
}

/** A pinned filter in the field:value language; null where that has no such condition. */
function luceneOf(condition: string): string | null {
  const filter = readPinnedFilter(condition)
  const field = filter && fieldOf(filter.column)
  if (!filter || !field) return null
  if (filter.operator === 'BETWEEN') {
    const [from = null, to = null] = filter.literals
    return printFilter(term(field, { kind: 'range', from, to, includeFrom: true, includeTo: true }))
  }
  const any = isOneOf(field, filter.literals.map(textOf))
  return printFilter(filter.operator === 'IN' ? any : negated(any))
}

function textOf(literal: string): string {
  if (!literal.startsWith("'")) return literal
  return literal.slice(1, -1).replace(/\\(.)|''/gs, (_, escaped: string | undefined) => escaped ?? "'")
}
