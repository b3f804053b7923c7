/** Splits the text of a filter into tokens. */
import { compareOperators, FilterError, type CompareOperator } from './filterSyntax.ts'

export type Token =
  | { kind: '(' | ')' | 'and' | 'or' | 'not'; position: number }
  | { kind: 'field'; name: string; position: number }
  | { kind: 'compare'; operator: CompareOperator; value: string; position: number }
  | {
      kind: 'range'
      from: string | null
      to: string | null
      includeFrom: boolean
      includeTo: boolean
      position: number
    }
  | { kind: 'phrase'; text: string; position: number }
  | { kind: 'word'; pieces: string[]; position: number }

const operators: Record<string, 'and' | 'or' | 'not'> = { AND: 'and', '&&': 'and', OR: 'or', '||': 'or', NOT: 'not' }

/** Throws FilterError where a quote, a range or a field's value does not end. */
export function tokenize(text: string): Token[] {
  return new Scanner(text).tokens()
}

class Scanner {
  readonly #text: string
  readonly #tokens: Token[] = []
  /** One entry for each open parenthesis: whether it holds values of a field. */
  readonly #groups: boolean[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  tokens(): Token[] {
    for (this.#skipSpace(); this.#at < this.#text.length; this.#skipSpace()) this.#next()
    return this.#tokens
  }

  #next(): void {
    const position = this.#at
    const character = this.#text[position]
    if (character === '(') {
      this.#groups.push(this.#groups.at(-1) ?? false)
      this.#push({ kind: '(', position }, 1)
    } else if (character === ')') {
      this.#groups.pop()
      this.#push({ kind: ')', position }, 1)
    } else if ((character === '-' || character === '!') && /[^\s)]/.test(this.#text[position + 1] ?? ' ')) {
      this.#push({ kind: 'not', position }, 1)
    } else if (this.#groups.at(-1)) {
      this.#value(position)
    } else if (character === '"') {
      this.#tokens.push({ kind: 'phrase', text: this.#quoted(), position })
    } else {
      this.#wordOrField(position)
    }
  }

  #push(token: Token, length: number): void {
    this.#tokens.push(token)
    this.#at += length
  }

  #wordOrField(position: number): void {
    const operator = this.#operator()
    if (operator) {
      this.#tokens.push({ kind: operator, position })
      return
    }
    const { pieces, field } = this.#word(true)
    if (!field) {
      this.#tokens.push({ kind: 'word', pieces, position })
      return
    }
    const name = pieces.join('*')
    if (name === '') throw new FilterError('a field name is missing before ":"', position)
    this.#tokens.push({ kind: 'field', name, position })
    if (this.#text[this.#at] === '(') {
      this.#groups.push(true)
      this.#push({ kind: '(', position: this.#at }, 1)
    } else if (/[\s)]/.test(this.#text[this.#at] ?? ' ')) {
      throw new FilterError(`"${name}:" has no value: add one, or quote the text to search for it`, position)
    } else {
      this.#value(this.#at)
    }
  }

  /** The text after `field:`, or within `field:(…)`. */
  #value(position: number): void {
    const grouped = this.#groups.at(-1) ?? false
    const operator = grouped ? this.#operator() : undefined
    const compare = compareOperators.find((symbol) => this.#text.startsWith(symbol, position))
    const character = this.#text[position]
    if (operator) {
      this.#tokens.push({ kind: operator, position })
    } else if (compare) {
      this.#at += compare.length
      this.#tokens.push({ kind: 'compare', operator: compare, value: this.#operand(compare), position })
    } else if (character === '[' || character === '{') {
      this.#range(position)
    } else if (character === '"') {
      this.#tokens.push({ kind: 'phrase', text: this.#quoted(), position })
    } else {
      this.#tokens.push({ kind: 'word', pieces: this.#word(false).pieces, position })
    }
  }

  #operand(operator: string): string {
    if (this.#text[this.#at] === '"') return this.#quoted()
    const value = this.#word(false).pieces.join('*')
    if (value === '') throw new FilterError(`"${operator}" needs a value right after it`, this.#at)
    return value
  }

  /** A joining or negating word, only as a separate token. */
  #operator(): 'and' | 'or' | 'not' | undefined {
    const word = /^(AND|OR|NOT|&&|\|\|)(?=[\s()]|$)/.exec(this.#text.slice(this.#at, this.#at + 4))?.[1]
    if (!word) return undefined
    this.#at += word.length
    return operators[word]
  }

  /** Reads up to space, quote or parenthesis; with `mayBeField`, up to the colon that makes it a field's name. */
  #word(mayBeField: boolean): { pieces: string[]; field: boolean } {
    const pieces = ['']
    const append = (text: string) => pieces.push((pieces.pop() ?? '') + text)
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? ''
      if (/[\s()"]/.test(character)) break
      if (character === '\\' && this.#at + 1 < this.#text.length) append(this.#text[++this.#at] ?? '')
      else if (character === '*') pieces.push('')
      else if (character === ':' && mayBeField && !this.#addressFollows(pieces.join('*'))) {
        this.#at++
        return { pieces, field: true }
      } else append(character)
    }
    return { pieces, field: false }
  }

  /** `http://…` and `localhost:8080` are text, not fields. */
  #addressFollows(word: string): boolean {
    const rest = this.#text.slice(this.#at + 1, this.#at + 3)
    if (/^https?:\/\//i.test(word)) return true
    return (/^https?$/i.test(word) && rest === '//') || (/^localhost$/i.test(word) && /^\d/.test(rest))
  }

  /** A text in quotes; `\"` and `\\` stand for themselves, other backslashes are kept. */
  #quoted(): string {
    const start = this.#at
    let text = ''
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? ''
      const following = this.#text[this.#at + 1]
      if (character === '"') {
        this.#at++
        return text
      }
      if (character === '\\' && (following === '"' || following === '\\')) {
        text += following
        this.#at++
      } else text += character
    }
    throw new FilterError('a quote is not closed', start)
  }

  #range(position: number): void {
    const includeFrom = this.#text[this.#at++] === '['
    const from = this.#bound(position)
    this.#skipSpace()
    if (!/^TO\s/.test(this.#text.slice(this.#at, this.#at + 3))) throw this.#brokenRange(position)
    this.#at += 2
    const to = this.#bound(position)
    this.#skipSpace()
    const end = this.#text[this.#at]
    if (end !== ']' && end !== '}') throw this.#brokenRange(position)
    this.#at++
    this.#tokens.push({ kind: 'range', from, to, includeFrom, includeTo: end === ']', position })
  }

  /** One end of a range; null for `*`, no limit. */
  #bound(position: number): string | null {
    this.#skipSpace()
    if (this.#text[this.#at] === '"') return this.#quoted()
    const bound = /^[^\s"\]}]+/.exec(this.#text.slice(this.#at))?.[0]
    if (!bound) throw this.#brokenRange(position)
    this.#at += bound.length
    return bound === '*' ? null : bound
  }

  #brokenRange(position: number): FilterError {
    return new FilterError('invalid range: use [1 TO 5], {1 TO 5} without its ends, or [1 TO *]', position)
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++
  }
}
