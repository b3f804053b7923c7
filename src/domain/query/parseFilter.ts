/** Parses the tokens of a filter into a tree: AND binds more tightly than OR, adjacent words are joined by AND. */
import type { FieldKind } from './fieldNames.ts'
import { FilterError, type FilterNode } from './filterSyntax.ts'
import { tokenize, type Token } from './filterTokens.ts'

/** Deep enough for any readable filter, and far from a stack overflow. */
const maxDepth = 50
/** The maximum number of conditions. */
const maxTerms = 500

/**
 * The tree of a filter; null when it is blank.
 *
 * @param kindOf what is known of the fields
 * @throws FilterError
 */
export function parseFilter(text: string, kindOf?: FieldKind): FilterNode | null {
  const tokens = tokenize(text, kindOf)
  if (tokens.length === 0) return null
  return new Parser(tokens, text).whole()
}

class Parser {
  readonly #tokens: Token[]
  readonly #text: string
  #at = 0
  #depth = 0
  #terms = 0

  constructor(tokens: Token[], text: string) {
    this.#tokens = tokens
    this.#text = text
  }

  whole(): FilterNode {
    const node = this.#or(null)
    const rest = this.#tokens[this.#at]
    if (rest) throw new FilterError('")" has no opening parenthesis', rest.position)
    return node
  }

  #or(field: string | null): FilterNode {
    const start = this.#at
    const nodes = [this.#and(field)]
    while (this.#take('or')) nodes.push(this.#and(field))
    return this.#joined('or', nodes, field, start)
  }

  #and(field: string | null): FilterNode {
    const start = this.#at
    const nodes = [this.#unary(field)]
    for (;;) {
      const next = this.#peek()
      if (!next || next.kind === 'or' || next.kind === ')') return this.#joined('and', nodes, field, start)
      this.#take('and')
      nodes.push(this.#unary(field))
    }
  }

  #joined(kind: 'and' | 'or', nodes: FilterNode[], field: string | null, start: number): FilterNode {
    if (nodes.length === 1 && nodes[0]) return nodes[0]
    return this.#written({ kind, nodes }, field, start)
  }

  #unary(field: string | null): FilterNode {
    const start = this.#at
    if (!this.#take('not')) return this.#primary(field)
    return this.#written({ kind: 'not', node: this.#nested(() => this.#unary(field)) }, field, start)
  }

  /** The node with its text, from a token to the last one that was read; a value of a field's group has none. */
  #written(node: FilterNode, field: string | null, start: number, enclosed = false): FilterNode {
    const tokens = this.#tokens.slice(start, this.#at)
    const [first, last] = [tokens[0], tokens.at(-1)]
    const { written: _, ...rest } = node
    if (field !== null || !first || !last || tokens.some((token) => token.kind === 'value' && token.bare)) return rest
    const text = this.#text.slice(first.position, last.end)
    // A backslash at the end would escape what is put behind it.
    return /(?:^|[^\\])(?:\\\\)*\\$/.test(text) ? rest : { ...rest, written: { text, enclosed } }
  }

  #primary(field: string | null): FilterNode {
    const start = this.#at
    const token = this.#peek()
    if (!token) throw new FilterError('a condition is missing at the end', this.#text.length)
    this.#at++
    switch (token.kind) {
      case '(':
        return this.#written(this.#inParentheses(token, field), field, start, true)
      case 'field': {
        const next = this.#tokens[this.#at++]
        return next?.kind === '('
          ? this.#written(this.#inParentheses(next, token.name), field, start, true)
          : this.#written(this.#term(token.name, false, token.position, next), field, start)
      }
      case 'and':
      case 'or':
      case 'not':
        throw new FilterError(`a condition is missing before "${token.kind.toUpperCase()}"`, token.position)
      case ')':
        throw new FilterError('a condition is missing before ")"', token.position)
      default:
        return this.#written(this.#term(field, field !== null, token.position, token), field, start)
    }
  }

  #inParentheses(open: Token, field: string | null): FilterNode {
    const node = this.#nested(() => this.#or(field))
    if (!this.#take(')')) throw new FilterError('a parenthesis is not closed', open.position)
    return node
  }

  #term(field: string | null, grouped: boolean, position: number, token: Token | undefined): FilterNode {
    if (++this.#terms > maxTerms) throw new FilterError(`a filter may have at most ${maxTerms} conditions`, position)
    if (token?.kind !== 'value') throw new FilterError('a value is missing', position)
    return { kind: 'term', field, matcher: token.matcher, grouped, position }
  }

  #nested(parse: () => FilterNode): FilterNode {
    if (++this.#depth > maxDepth) {
      throw new FilterError(
        `a filter may be nested at most ${maxDepth} levels deep`,
        this.#peek()?.position ?? this.#text.length,
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
