import { FilterError, type FilterNode } from '#domain/query/filterSyntax.ts'
import { parseFilter } from '#domain/query/parseFilter.ts'

/** The tree of a condition in the field:value language; null if it is blank, undefined if it is invalid. */
export function readCondition(text: string): FilterNode | null | undefined {
  try {
    return parseFilter(text)
  } catch (error) {
    if (error instanceof FilterError) return undefined
    throw error
  }
}
