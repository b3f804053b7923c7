/** Drafts of the SQL of searches. */
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import type { Source } from '#contract/stack/sources.ts'
import { text, timeField, withoutAlias } from '../rows/columns.ts'
import type { RowsQuery } from '../rows/readRows.ts'
import { conditionsOf } from './draftConditions.ts'
import { type Draft, draftMark, draftOf, tableOf, timeOf, valueOf } from './draftSource.ts'

/** The rows of a search, with the time as the first column, or the reason why there is no draft. */
export const searchDraft = (source: Source, query: RowsQuery): Draft => draftOf(() => statementOf(source, query))

function statementOf(source: Source, query: RowsQuery): string {
  const { span, where, whereLanguage, columns, orderBy = '', offset = 0, maxResults } = query
  const table = tableOf(source)
  const shown = columns.map(({ expression }) => valueOf(withoutAlias(expression), source).sql)
  const order = orderBy.trim() || (text(source, 'orderByExpression') ?? '')
  return `${draftMark}
SELECT
  ${[timeField(source), ...shown].join(',\n  ')}
FROM ${table}
WHERE ${conditionsOf({ source, span, where, whereLanguage, use: 'search' })}
ORDER BY ${
    order === ''
      ? newestFirst(source)
      : splitExpressions(order)
          .map((term) => orderTerm(term, source))
          .join(', ')
  }
LIMIT ${maxResults}${offset > 0 ? ` OFFSET ${offset}` : ''}`
}

function newestFirst(source: Source): string {
  const displayed = splitExpressions(text(source, 'displayedTimestampValueExpression') ?? '')
  return [...new Set([timeOf(source), ...displayed])].map((time) => `${time} DESC`).join(', ')
}

function orderTerm(term: string, source: Source): string {
  const [direction = ''] = /\s(?:ASC|DESC)(?:\sNULLS\s(?:FIRST|LAST))?$/i.exec(term) ?? []
  return `${valueOf(term.slice(0, term.length - direction.length), source).sql}${direction}`
}
