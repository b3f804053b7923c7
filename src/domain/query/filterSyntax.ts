/** The filter language `field:value` as a tree. */

/** `pieces` are the parts between the wildcards: `err*` is `['err', '']`, `*` alone is `['', '']`. */
export type Matcher =
  | { kind: 'word'; pieces: string[] }
  | { kind: 'phrase'; text: string }
  | { kind: 'compare'; operator: CompareOperator; value: string }
  | { kind: 'range'; from: string | null; to: string | null; includeFrom: boolean; includeTo: boolean }

export const compareOperators = ['>=', '<=', '>', '<'] as const
export type CompareOperator = (typeof compareOperators)[number]

/** How a person wrote a node. Nodes that an edit made have none, and nor do values within `field:(…)`. */
interface Written {
  text: string
  /** In parentheses, or `field:(…)`: it needs no further ones. */
  enclosed: boolean
}

export interface Term {
  kind: 'term'
  /** Null: text to look for in the body. */
  field: string | null
  matcher: Matcher
  /** Written as `field:(…)`, where wildcards stand for the rest of the value and quotes do not mean "exactly". */
  grouped: boolean
  /** Where it begins in the text. */
  position: number
  written?: Written
}

export type FilterNode =
  | Term
  | { kind: 'and' | 'or'; nodes: FilterNode[]; written?: Written }
  | { kind: 'not'; node: FilterNode; written?: Written }

interface FilterErrorOptions {
  /** The name that the engine has for such an error. */
  type?: 'SYNTAX_ERROR' | 'UNKNOWN_IDENTIFIER'
  /** A name before a colon that no value follows: a field without its value, or text if there is no such field. */
  field?: string
}

/** The filter is invalid. The message says what is wrong and how to fix it. */
export class FilterError extends Error {
  override name = 'FilterError'
  readonly type: 'SYNTAX_ERROR' | 'UNKNOWN_IDENTIFIER'
  readonly field: string | undefined

  /** Offset into the filter's text. */
  readonly position: number

  constructor(message: string, position: number, { type = 'SYNTAX_ERROR', field }: FilterErrorOptions = {}) {
    super(message)
    this.position = position
    this.type = type
    this.field = field
  }
}
