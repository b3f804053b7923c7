/** Text without a field in conditions of the field:value language, in a form that every deployment reads. */
import { withEscapedText, withTextIn } from '#domain/query/filterTerms.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { readCondition } from './conditions/readCondition.ts'

/**
 * The condition as it is sent and stored: deployments take the colons of the text `12:30:45` for those of a field, so they
 * are escaped. An invalid condition, and one in SQL, is unchanged.
 */
export function writtenCondition(condition: string, language: string): string {
  if (language !== 'lucene') return condition
  const filter = readCondition(condition)
  return filter ? printFilter(withEscapedText(filter)) : condition
}

/**
 * The condition for charts, which have no default column, with `order` written as `Body:(order)`. An invalid one is unchanged:
 * the deployment reports the error.
 */
export function withFreeTextIn(fields: readonly [string, ...string[]], condition: string): string {
  const filter = readCondition(condition)
  return filter ? printFilter(withTextIn(fields, filter)) : condition
}
