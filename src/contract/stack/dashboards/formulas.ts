/** Formulas over the series of a tile, such as `(A - B) / A * 100`: docs/DEPLOYMENTS.md#tiles. */

export type Formula =
  | { kind: 'number'; value: number }
  /** The position of the series in `select`: A is 0. */
  | { kind: 'series'; index: number }
  | { kind: 'negation'; operand: Formula }
  | { kind: 'operation'; operator: '+' | '-' | '*' | '/'; left: Formula; right: Formula }

/** Deepest nesting of parentheses and signs. */
export const maxFormulaDepth = 64

/** Characters of a formula: every step through it is recursive. */
export const maxFormulaLength = 1024

export class FormulaError extends Error {
  override readonly name = 'FormulaError'
}

const tokenPattern = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([A-Z])|([-+*/()]))/y

/** @throws FormulaError with the problem and its position */
export function parseFormula(text: string): Formula {
  if (text.length > maxFormulaLength) throw new FormulaError(`Longer than ${maxFormulaLength} characters`)
  const tokens = tokenize(text)
  let at = 0
  const next = () => tokens[at]
  const take = () => tokens[at++]

  function sum(depth: number): Formula {
    let left = product(depth)
    for (let token = next(); token?.text === '+' || token?.text === '-'; token = next()) {
      at++
      left = { kind: 'operation', operator: token.text, left, right: product(depth) }
    }
    return left
  }

  function product(depth: number): Formula {
    let left = factor(depth)
    for (let token = next(); token?.text === '*' || token?.text === '/'; token = next()) {
      at++
      left = { kind: 'operation', operator: token.text, left, right: factor(depth) }
    }
    return left
  }

  function factor(depth: number): Formula {
    if (depth > maxFormulaDepth) throw new FormulaError(`Nested deeper than ${maxFormulaDepth} levels`)
    const token = take()
    if (!token) throw new FormulaError('Expected a series, a number or "(" at the end')
    if (/^[A-Z]$/.test(token.text)) return { kind: 'series', index: token.text.charCodeAt(0) - 65 }
    if (/^[\d.]/.test(token.text)) return { kind: 'number', value: Number(token.text) }
    if (token.text === '-') return { kind: 'negation', operand: factor(depth + 1) }
    if (token.text !== '(') throw unexpected(token)
    const inside = sum(depth + 1)
    if (take()?.text !== ')') throw new FormulaError(`"(" at position ${token.position + 1} is not closed`)
    return inside
  }

  const formula = sum(1)
  const rest = next()
  if (rest) throw unexpected(rest)
  return formula
}

/** The letters of the series in a formula, without duplicates, in order. */
export function seriesLetters(formula: Formula): string[] {
  const letters = new Set<string>()
  const visit = (node: Formula): void => {
    if (node.kind === 'series') letters.add(String.fromCharCode(65 + node.index))
    else if (node.kind === 'negation') visit(node.operand)
    else if (node.kind === 'operation') {
      visit(node.left)
      visit(node.right)
    }
  }
  visit(formula)
  return [...letters].toSorted()
}

/** The value of a formula; null if a value that it needs is missing, or a division has no result. */
export function evaluateFormula(formula: Formula, valueOf: (series: number) => number | null): number | null {
  switch (formula.kind) {
    case 'number':
      return formula.value
    case 'series':
      return valueOf(formula.index)
    case 'negation': {
      const operand = evaluateFormula(formula.operand, valueOf)
      return operand === null ? null : -operand
    }
    case 'operation': {
      const left = evaluateFormula(formula.left, valueOf)
      const right = evaluateFormula(formula.right, valueOf)
      if (left === null || right === null) return null
      if (formula.operator === '/') return right === 0 ? null : left / right
      if (formula.operator === '*') return left * right
      return formula.operator === '+' ? left + right : left - right
    }
  }
}

interface Token {
  text: string
  position: number
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(tokenPattern)
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex
    const match = pattern.exec(text)
    if (!match) {
      const position = from + text.slice(from).search(/\S/)
      throw unexpected({ text: text.charAt(position), position })
    }
    const token = match[1] ?? match[2] ?? match[3] ?? ''
    tokens.push({ text: token, position: pattern.lastIndex - token.length })
  }
  return tokens
}

function unexpected({ text, position }: Token): FormulaError {
  return new FormulaError(`Unexpected "${text}" at position ${position + 1}`)
}
