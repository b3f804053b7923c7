/** Parses the tokens of a filter into a tree: AND binds more tightly than OR, adjacent words are joined by AND. */
import { FilterError, type FilterNode, type Matcher } from './filterSyntax.ts'
import { tokenize, type Token } from './filterTokens.ts'

/** Deep enough for any readable filter, and far from a stack overflow. */
const maxDepth = 50
/** The maximum number of conditions. */
const maxTerms = 500

/** The tree of a filter; null when it is blank. Throws FilterError. */
export function parseFilter(text: string): FilterNode | null {
  const tokens = tokenize(text)
  if (tokens.length === 0) return null
  return new Parser(tokens, text.length).whole()
}

class Parser {
  readonly #tokens: Token[]
  readonly #end: number
  #at = 0
  #depth = 0
  #terms = 0

  constructor(tokens: Token[], end: number) {
    this.#tokens = tokens
    this.#end = end
  }

  whole(): FilterNode {
    const node = this.#or(null)
    const rest = this.#tokens[this.#at]
    if (rest) throw new FilterError('")" has no opening parenthesis', rest.position)
    return node
  }

  #or(field: string | null): FilterNode {
    const nodes = [this.#and(field)]
    while (this.#take('or')) nodes.push(this.#and(field))
    return joined('or', nodes)
  }

  #and(field: string | null): FilterNode {
    const nodes = [this.#unary(field)]
    for (;;) {
      const next = this.#peek()
      if (!next || next.kind === 'or' || next.kind === ')') return joined('and', nodes)
      this.#take('and')
      nodes.push(this.#unary(field))
    }
  }

  #unary(field: string | null): FilterNode {
    if (!this.#take('not')) return this.#primary(field)
    return { kind: 'not', node: this.#deeper(() => this.#unary(field)) }
  }

  #primary(field: string | null): FilterNode {
    const token = this.#peek()
    if (!token) throw new FilterError('a condition is missing at the end', this.#end)
    this.#at++
    switch (token.kind) {
      case '(':
        return this.#inParentheses(token, field)
      case 'field':
        return this.#take('(')
          ? this.#inParentheses(token, token.name)
          : this.#term(token.name, false, token.position, this.#tokens[this.#at++])
      case 'and':
      case 'or':
      case 'not':
        throw new FilterError(`a condition is missing before "${token.kind.toUpperCase()}"`, token.position)
      case ')':
        throw new FilterError('a condition is missing before ")"', token.position)
      default:
        return this.#term(field, field !== null, token.position, token)
    }
  }

  #inParentheses(open: Token, field: string | null): FilterNode {
    const node = this.#deeper(() => this.#or(field))
    if (!this.#take(')')) throw new FilterError('a parenthesis is not closed', open.position)
    return node
  }

  #term(field: string | null, grouped: boolean, position: number, token: Token | undefined): FilterNode {
    if (++this.#terms > maxTerms) throw new FilterError(`a filter may have at most ${maxTerms} conditions`, position)
    const matcher = token && matcherOf(token)
    if (!matcher) throw new FilterError('a value is missing', position)
    return { kind: 'term', field, matcher, grouped, position }
  }

  #deeper(parse: () => FilterNode): FilterNode {
    if (++this.#depth > maxDepth) {
      throw new FilterError(
        `a filter may be nested at most ${maxDepth} levels deep`,
        this.#peek()?.position ?? this.#end,
      )
    }
    const node = parse()
    this.#depth--
    return node
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #take(kind: Token['kind']): boolean {
    if (this.#peek()?.kind !== kind) return false
    this.#at++
    return true
  }
}

function matcherOf(token: Token): Matcher | undefined {
  switch (token.kind) {
    case 'word':
      return { kind: 'word', pieces: token.pieces }
    case 'phrase':
      return { kind: 'phrase', text: token.text }
    case 'compare':
      return { kind: 'compare', operator: token.operator, value: token.value }
    case 'range': {
      const { from, to, includeFrom, includeTo } = token
      return { kind: 'range', from, to, includeFrom, includeTo }
    }
    default:
      return undefined
  }
}

function joined(kind: 'and' | 'or', nodes: FilterNode[]): FilterNode {
  return nodes.length === 1 && nodes[0] ? nodes[0] : { kind, nodes }
}
