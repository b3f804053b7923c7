/** Prints the tree of a filter as text, which `parseFilter` parses into the same tree. What a person wrote is kept. */
import { isField } from './fieldNames.ts'
import type { FilterNode, Matcher, Term } from './filterSyntax.ts'

export function printFilter(node: FilterNode): string {
  if (node.written) return node.written.text
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
  if (node.kind === 'term' || node.kind === 'not' || node.written?.enclosed) return printFilter(node)
  return `(${printFilter(node)})`
}

function printTerm({ field, matcher, grouped }: Term): string {
  const value = printMatcher(matcher)
  if (field === null) return value
  return grouped ? `${printField(field)}:(${value})` : `${printField(field, value)}:${value}`
}

/** The name of a field before a value, escaped where it would be text otherwise. */
export function printField(field: string, value = ''): string {
  const name = escaped(field)
  return name.startsWith('\\') || isField(field, value) ? name : `\\${name}`
}

export function printMatcher(matcher: Matcher): string {
  switch (matcher.kind) {
    case 'word':
      return matcher.pieces.map(escaped).join('*')
    case 'phrase':
      return quoted(matcher.text)
    case 'compare':
      return matcher.operator + operand(matcher.value)
    case 'range': {
      const { from, to, includeFrom, includeTo } = matcher
      return `${includeFrom ? '[' : '{'}${bound(from)} TO ${bound(to)}${includeTo ? ']' : '}'}`
    }
  }
}

function bound(value: string | null): string {
  return value === null ? '*' : operand(value)
}

/** Numbers, times and the like need no quotes, which not every deployment reads here. */
function operand(value: string): string {
  return /^[\w.+-][\w.:+-]*$/.test(value) ? value : quoted(value)
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** Escapes every character except letters, digits and marks that are valid in names. */
function escaped(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_.@/'[\]{}-]/gu, String.raw`\$&`).replace(/^(?=[-[{]|(AND|OR|NOT)$)/, '\\')
}
