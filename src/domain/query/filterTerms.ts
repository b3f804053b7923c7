/** The terms of a filter: where its text is searched, and what it finds in a row. */
import type { FilterNode, Term } from './filterSyntax.ts'
import { printFilter } from './printFilter.ts'

/** All terms, in their order. */
export function termsOf(node: FilterNode): Term[] {
  if (node.kind === 'term') return [node]
  return node.kind === 'not' ? termsOf(node.node) : node.nodes.flatMap(termsOf)
}

/** The filter with its free text escaped, where that is needed: `12:30:45` as `12\:30\:45`. */
export function withEscapedText(node: FilterNode): FilterNode {
  return withText(node, (term) => {
    const escaped: Term = { kind: 'term', field: null, matcher: term.matcher, grouped: false, position: 0 }
    return printFilter(escaped) === printFilter(term) ? term : escaped
  })
}

/** The filter with its free text searched in some fields: `order` as `Body:(order)`, or as `(Body:(order) OR Title:(order))`. */
export function withTextIn(fields: readonly [string, ...string[]], node: FilterNode): FilterNode {
  const inField = (field: string, { matcher }: Term): Term => ({
    kind: 'term',
    field,
    matcher,
    grouped: true,
    position: 0,
  })
  const [first, ...others] = fields
  return withText(node, (term) => {
    if (others.length === 0) return inField(first, term)
    return { kind: 'or', nodes: fields.map((field) => inField(field, term)) }
  })
}

/** The filter with each term of free text replaced. What does not change keeps the text that it was written as. */
function withText(node: FilterNode, replaced: (term: Term) => FilterNode): FilterNode {
  switch (node.kind) {
    case 'term':
      return isFreeText(node) ? replaced(node) : node
    case 'not': {
      const inner = withText(node.node, replaced)
      return inner === node.node ? node : { kind: 'not', node: inner }
    }
    default: {
      const nodes = node.nodes.map((filterNode) => withText(filterNode, replaced))
      return nodes.every((filterNode, at) => filterNode === node.nodes[at]) ? node : { kind: node.kind, nodes }
    }
  }
}

const isFreeText = ({ field, matcher }: Term): boolean =>
  field === null && (matcher.kind === 'word' || matcher.kind === 'phrase')

/** A text that a row may have because of a filter; `parts` have anything between them. */
export interface FoundText {
  /** Null: in the body. */
  field: string | null
  parts: string[]
}

/** The texts of the terms that are not negated. Comparisons have none. */
export function foundTexts(node: FilterNode): FoundText[] {
  switch (node.kind) {
    case 'term': {
      const { field, matcher } = node
      const pieces = matcher.kind === 'word' ? matcher.pieces : matcher.kind === 'phrase' ? [matcher.text] : []
      const parts = pieces.filter((piece) => piece !== '')
      return parts.length > 0 ? [{ field, parts }] : []
    }
    case 'not':
      return node.node.kind === 'term' ? [] : foundTexts(withNegationInside(node.node))
    default:
      return node.nodes.flatMap(foundTexts)
  }
}

/** The negation of a node, moved one level further in: all parts are negated one by one. */
function withNegationInside(node: Exclude<FilterNode, Term>): FilterNode {
  if (node.kind === 'not') return node.node
  return { kind: node.kind, nodes: node.nodes.map((filterNode) => ({ kind: 'not', node: filterNode })) }
}
