/**
 * Functions whose result grows with a number in their arguments. With constants the engine computes them while the expression
 * is checked, before any limit of a query applies, so these numbers are bounded.
 */
import { ExpressionError } from '#domain/query/sqlLexical.ts'
import type { SyntaxNode } from './syntaxTree.ts'

const maxElements = 10_000

const growing = /^(range|repeat|space|arrayWithConstant|timeSlots|(left|right)Pad(UTF8)?|[lr]pad)$/i
/** The numbers that let its result grow are in a text. */
const formatting = /^printf$/i
const conversion = /^(to[A-Z]\w*|_?CAST)$/

/** @throws ExpressionError for a result that is too long, or whose length is not known from the text */
export function checkSizes(node: SyntaxNode, within = ''): void {
  const grows = node.kind === 'Function' && growing.test(node.name)
  if (grows && within !== '') {
    throw new ExpressionError(`${node.name} inside ${within} is not allowed: its result can become too long`)
  }
  if (grows) checkArguments(node)
  if (node.kind === 'Function' && formatting.test(node.name)) checkFormat(node)
  const inside = grows ? node.name : node.kind === 'Function' && node.name === 'lambda' ? 'a lambda' : within
  for (const child of node.children) checkSizes(child, inside)
}

function checkArguments({ name, children }: SyntaxNode): void {
  for (const argument of children[0]?.children ?? []) {
    if (hasColumn(argument)) continue
    const nodes = allNodes(argument)
    const isPlain = nodes.every(({ kind, name: called }) => kind !== 'Function' || conversion.test(called))
    if (isPlain && nodes.every((node) => numberOf(node) <= maxElements)) continue
    throw new ExpressionError(`${name} can have numbers up to ${maxElements}, and no calculations of constants`)
  }
}

function checkFormat({ name, children }: SyntaxNode): void {
  const [format] = children[0]?.children ?? []
  const text = format?.kind === 'Literal' ? format.name : '%'
  const places = [...text.matchAll(/%(?:%|[-+ #0]*(\d*)(?:\.(\d*))?[a-z])?/gi)]
  // A `%` alone begins what the engine may read in another way: `%*d` has its width in an argument, `%1$9d` behind an index.
  const isBounded = places.every(([place, width = '', digits = '']) => place !== '%' && [width, digits].every(isSmall))
  if (!isBounded) throw new ExpressionError(`${name} needs a constant format, with widths up to ${maxElements}`)
}

const isSmall = (width: string): boolean => Number(width) <= maxElements

/** `Literal UInt64_5000000` */
function numberOf({ kind, name }: SyntaxNode): number {
  const number = kind === 'Literal' ? /^(?:Int|UInt|Float|Decimal)\w*?_(.+)$/.exec(name)?.[1] : undefined
  return number === undefined ? 0 : Math.abs(Number(number.replaceAll("'", '')))
}

const allNodes = (node: SyntaxNode): SyntaxNode[] => [node, ...node.children.flatMap(allNodes)]
const hasColumn = (node: SyntaxNode): boolean => allNodes(node).some(({ kind }) => kind === 'Identifier')
