/** The filter language (section 10.7 of the open-source reference) as a tree. */

/** `pieces` are the parts between the wildcards: `err*` is `['err', '']`, `*` alone is `['', '']`. */
export type Matcher =
  | { kind: 'word'; pieces: string[] }
  | { kind: 'phrase'; text: string }
  | { kind: 'compare'; operator: CompareOperator; value: string }
  | { kind: 'range'; from: string | null; to: string | null; includeFrom: boolean; includeTo: boolean }

export const compareOperators = ['>=', '<=', '>', '<'] as const
export type CompareOperator = (typeof compareOperators)[number]

export interface Term {
  kind: 'term'
  /** Null: text to look for in the body. */
  field: string | null
  matcher: Matcher
  /** Written as `field:(…)`, where wildcards stand for the rest of the value and quotes do not mean "exactly". */
  grouped: boolean
  /** Where it begins in the text. */
  position: number
}

export type FilterNode = Term | { kind: 'and' | 'or'; nodes: FilterNode[] } | { kind: 'not'; node: FilterNode }

/** The filter is invalid. The message says what is wrong and how to fix it. */
export class FilterError extends Error {
  override name = 'FilterError'
  constructor(
    message: string,
    /** Offset into the filter's text. */
    readonly position: number,
    /** The name that the engine has for such an error. */
    readonly type: 'SYNTAX_ERROR' | 'UNKNOWN_IDENTIFIER' = 'SYNTAX_ERROR',
  ) {
    super(message)
  }
}
