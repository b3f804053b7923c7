/** Adds a column to text without a field in conditions of the field:value language: charts have no default column. */
import { withTextIn } from '#domain/query/filterTerms.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { readCondition } from './readCondition.ts'

/** The condition with `order` written as `Body:(order)`. An invalid one is unchanged: the deployment reports the error. */
export function withFreeTextIn(field: string, condition: string): string {
  const filter = readCondition(condition)
  return filter ? printFilter(withTextIn(field, filter)) : condition
}
