/** The conditions of drafts: a range of time, what the source adds, and the condition of a chart or search. */
import type { Source } from '#contract/stack/sources.ts'
import type { Matcher, Term } from '#domain/query/filterSyntax.ts'
import { termsOf } from '#domain/query/filterTerms.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { joinedSql } from '#domain/query/sqlParts.ts'
import type { Span } from '#domain/time/span.ts'
import type { Language } from '../conditions/conditions.ts'
import { readCondition } from '../conditions/readCondition.ts'
import { fieldsOf } from '../fields.ts'
import { text } from '../rows/columns.ts'
import { conditionAsSql } from '../search/conditionAsSql.ts'
import { momentSql, NoDraft, oneExpression, timeOf } from './draftSource.ts'

export interface DraftRows {
  source: Source
  /** Both ends belong to it. */
  span: Pick<Span, 'from' | 'to'>
  where: string
  whereLanguage: Language
  /** A search sends text without a field as it is, a chart the field in which it is searched. */
  use: 'chart' | 'search'
}

/** The text behind WHERE, a condition on each line. @throws NoDraft */
export function conditionsOf({ source, span, where, whereLanguage, use }: DraftRows): string {
  const time = timeOf(source)
  const ofSource = source.kind === 'log' ? (text(source, 'tableFilterExpression') ?? '') : ''
  const own = whereLanguage === 'sql' ? where : filterCondition(where, source, use)
  const conditions = [ofSource, own].filter((condition) => condition.trim() !== '')
  return [
    `${time} >= ${momentSql(span.from)}`,
    `${time} <= ${momentSql(span.to)}`,
    ...conditions.map((condition) => joinedSql([oneExpression(condition)])),
  ].join('\n  AND ')
}

function filterCondition(where: string, source: Source, use: DraftRows['use']): string {
  const filter = readCondition(where)
  if (filter === undefined) throw new NoDraft(`The condition cannot be read: ${where}`)
  if (filter === null) return ''
  for (const term of termsOf(filter)) refuseDifferent(term, source, use)
  const { sql, leftOut } = conditionAsSql(where, source)
  if (leftOut.length === 0) return sql
  throw new NoDraft(
    `The console does not know the type of a column, so it cannot write this as SQL: ${leftOut.join(' ')}`,
  )
}

/** Two conditions find other rows on some deployments than on others: docs/TELEMETRY.md. */
function refuseDifferent(term: Term, source: Source, use: DraftRows['use']): void {
  const { field, matcher } = term
  if (field === null && use === 'search') {
    throw new NoDraft(
      `Deployments differ in the rows that text without a field finds: ${printFilter(term)}. Name the field, as in Body:${printFilter(term)}.`,
    )
  }
  const isNumber = fieldsOf(source).some(({ name, kind }) => name === field && kind === 'number')
  if (!isNumber && operandsOf(matcher).some((operand) => /^[-+.\d]/.test(operand))) {
    throw new NoDraft(
      `Deployments differ in whether they compare texts that are numbers as numbers: ${printFilter(term)}.`,
    )
  }
}

function operandsOf(matcher: Matcher): string[] {
  if (matcher.kind === 'compare') return [matcher.value]
  return matcher.kind === 'range' ? [matcher.from, matcher.to].filter((bound) => bound !== null) : []
}
