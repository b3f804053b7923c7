/** Filters by a pattern of messages, in either language. */
import type { Source } from '#contract/stack/sources.ts'
import { negated, term } from '#domain/query/conditions.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import type { FilterNode } from '#domain/query/filterSyntax.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { sqlParts, withSqlPart } from '#domain/query/sqlParts.ts'
import type { Language } from '../conditions/conditions.ts'
import { conditionAsSql } from './conditionAsSql.ts'
import { withCondition } from './filters.ts'

export interface PatternFilter {
  /** The column of the messages. */
  expression: string
  /** Their common texts: `commonPieces` of `messagePatterns.ts`. */
  pieces: readonly string[]
  /** `in` keeps the rows of the pattern, `out` all others. */
  mode: 'in' | 'out'
}

/**
 * The condition with a filter added; the opposite one on the same pattern is replaced. It finds every row of the pattern, and
 * others that have the same texts in the same order. Null where the language cannot express it, and for a condition that is
 * invalid.
 */
export function withPattern(where: string, filter: PatternFilter, language: Language, source: Source): string | null {
  const node = patternNode(filter)
  if (!node) return null
  if (language === 'lucene') return withCondition(where, node)
  const [added, opposite] = [node, negated(node)].map((filterNode) => conditionAsSql(printFilter(filterNode), source))
  if (!added || added.leftOut.length > 0) return null
  const left = sqlParts(where)
  const others = left.filter((part) => part !== opposite?.sql)
  return withSqlPart(others.length < left.length ? others.join(' AND ') : where, added.sql)
}

/** `Body:(order*placed)`: within parentheses, wildcards stand for the rest of the text. A single text is the whole message. */
function patternNode({ expression, pieces, mode }: PatternFilter): FilterNode | null {
  const field = fieldOf(expression)
  if (field === null) return null
  const [only = ''] = pieces
  const node =
    pieces.length === 1
      ? term(field, { kind: 'phrase', text: only })
      : { ...term(field, { kind: 'word', pieces: [...pieces] }), grouped: true }
  return mode === 'in' ? node : negated(node)
}
