/**
 * The partition and primary key of a table are expressions that go into its definition as text: only names, numbers, texts,
 * function calls, commas and arithmetic are let through, so that nothing else can be said there.
 */
const token = /\s*(?:(`(?:[^`\\]|\\.)+`|[A-Za-z_]\w*)|(\d+(?:\.\d+)?)|('(?:[^'\\]|\\.)*')|([-+*/%])|([(),]))/y

type Token = { kind: 'name' | 'number' | 'text' | 'operator' | '(' | ')' | ','; text: string }

/** What is wrong with an expression, or null. */
export function keyExpressionProblem(expression: string): string | null {
  const tokens = tokenize(expression)
  if (!tokens) return `cannot be read: names, numbers, function calls and arithmetic may stand there`
  const parser = new Parser(tokens)
  return parser.list() && parser.atEnd() ? null : 'is not an expression over columns'
}

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const match = token.exec(text)
    if (!match) return null
    const [, name, number, quoted, operator, mark] = match
    if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted })
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator })
    else if (mark === '(' || mark === ')' || mark === ',') tokens.push({ kind: mark, text: mark })
  }
  return tokens
}

/** Deep enough for any key, and short of the stack's end. */
const maxDepth = 50

class Parser {
  #at = 0
  #depth = 0

  constructor(private readonly tokens: readonly Token[]) {}

  atEnd(): boolean {
    return this.#at === this.tokens.length
  }

  /** One or more sums, with commas between. */
  list(): boolean {
    do if (!this.#sum()) return false
    while (this.#take(','))
    return true
  }

  #sum(): boolean {
    do if (!this.#operand()) return false
    while (this.#take('operator'))
    return true
  }

  #operand(): boolean {
    if (this.#take('number') || this.#take('text')) return true
    const named = this.#take('name')
    if (!this.#take('(')) return named
    if (++this.#depth > maxDepth) return false
    const inside = (named && this.tokens[this.#at]?.kind === ')') || this.list()
    this.#depth--
    return inside && this.#take(')')
  }

  #take(kind: Token['kind']): boolean {
    if (this.tokens[this.#at]?.kind !== kind) return false
    this.#at++
    return true
  }
}
