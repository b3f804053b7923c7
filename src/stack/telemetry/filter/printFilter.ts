/** Prints the tree of a filter as text, which `parseFilter` parses into the same tree. */
import type { FilterNode, Matcher, Term } from './filterSyntax.ts'

export function printFilter(node: FilterNode): string {
  switch (node.kind) {
    case 'term':
      return printTerm(node)
    case 'not':
      return `NOT ${inParentheses(node.node)}`
    default:
      return node.nodes.map(inParentheses).join(node.kind === 'and' ? ' AND ' : ' OR ')
  }
}

function inParentheses(node: FilterNode): string {
  return node.kind === 'term' || node.kind === 'not' ? printFilter(node) : `(${printFilter(node)})`
}

function printTerm({ field, matcher, grouped }: Term): string {
  const value = printMatcher(matcher)
  if (field === null) return value
  return grouped ? `${escaped(field)}:(${value})` : `${escaped(field)}:${value}`
}

function printMatcher(matcher: Matcher): string {
  switch (matcher.kind) {
    case 'word':
      return matcher.pieces.map(escaped).join('*')
    case 'phrase':
      return quoted(matcher.text)
    case 'compare':
      return matcher.operator + quoted(matcher.value)
    case 'range': {
      const { from, to, includeFrom, includeTo } = matcher
      return `${includeFrom ? '[' : '{'}${bound(from)} TO ${bound(to)}${includeTo ? ']' : '}'}`
    }
  }
}

function bound(value: string | null): string {
  return value === null ? '*' : quoted(value)
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** Escapes every character except letters, digits and marks that are valid in names. */
function escaped(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_.@/'[\]{}-]/gu, String.raw`\$&`).replace(/^(?=[-[{]|(AND|OR|NOT)$)/, '\\')
}
