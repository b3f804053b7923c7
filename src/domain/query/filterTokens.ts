/** Splits the text of a filter into tokens. */
import { isField, type FieldKind } from './fieldNames.ts'
import { compareOperators, FilterError, type Matcher } from './filterSyntax.ts'

type Piece =
  | { kind: '(' | ')' | 'and' | 'or' | 'not' }
  | { kind: 'field'; name: string }
  | { kind: 'value'; matcher: Matcher; /** See `#word`. */ bare?: boolean }

/** A part of the text, from `position` up to `end`. */
export type Token = Piece & { position: number; end: number }

const operators: Record<string, 'and' | 'or' | 'not'> = { AND: 'and', '&&': 'and', OR: 'or', '||': 'or', NOT: 'not' }

/** @throws FilterError where a quote or a range does not end, or a value is missing */
export function tokenize(text: string, kindOf?: FieldKind): Token[] {
  return new Scanner(text, kindOf).tokens()
}

class Scanner {
  readonly #text: string
  readonly #tokens: Token[] = []
  /** One entry for each open parenthesis: whether it holds values of a field. */
  readonly #groups: boolean[] = []
  readonly #kindOf: FieldKind | undefined
  #at = 0

  constructor(text: string, kindOf: FieldKind | undefined) {
    this.#text = text
    this.#kindOf = kindOf
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
      this.#symbol('(')
    } else if (character === ')') {
      this.#groups.pop()
      this.#symbol(')')
    } else if ((character === '-' || character === '!') && /[^\s)]/.test(this.#text[position + 1] ?? ' ')) {
      this.#symbol('not')
    } else if (this.#groups.at(-1)) {
      const operator = this.#operator()
      if (operator) this.#push({ kind: operator }, position)
      else this.#value(position)
    } else if (character === '"') {
      this.#push({ kind: 'value', matcher: { kind: 'phrase', text: this.#quoted() } }, position)
    } else {
      this.#wordOrField(position)
    }
  }

  /** Adds what was read from the position on. */
  #push(piece: Piece, position: number): void {
    this.#tokens.push({ ...piece, position, end: this.#at })
  }

  #symbol(kind: '(' | ')' | 'not'): void {
    this.#at++
    this.#push({ kind }, this.#at - 1)
  }

  #wordOrField(position: number): void {
    const operator = this.#operator()
    if (operator) return this.#push({ kind: operator }, position)
    const { pieces, field, bare } = this.#word(true)
    if (!field) {
      const isOperator = Object.hasOwn(operators, this.#text.slice(position, this.#at))
      return this.#push({ kind: 'value', matcher: { kind: 'word', pieces }, bare: bare || isOperator }, position)
    }
    const name = pieces.join('*')
    this.#push({ kind: 'field', name }, position)
    if (this.#text[this.#at] === '(') {
      this.#groups.push(true)
      this.#symbol('(')
    } else if (/[\s)]/.test(this.#text[this.#at] ?? ' ')) {
      const message = `"${name}:" has no value: add one, or quote the text to search for it`
      throw new FilterError(message, position, { field: name })
    } else {
      this.#value(this.#at)
    }
  }

  /** The text after `field:`, or within `field:(…)`. */
  #value(position: number): void {
    const compare = compareOperators.find((symbol) => this.#text.startsWith(symbol, position))
    const character = this.#text[position]
    if (compare) {
      this.#at += compare.length
      const value = this.#operand(compare)
      this.#push({ kind: 'value', matcher: { kind: 'compare', operator: compare, value } }, position)
    } else if (character === '[' || character === '{') {
      this.#push({ kind: 'value', matcher: this.#range(position) }, position)
    } else if (character === '"') {
      this.#push({ kind: 'value', matcher: { kind: 'phrase', text: this.#quoted() } }, position)
    } else {
      const { pieces, bare } = this.#word(false)
      this.#push({ kind: 'value', matcher: { kind: 'word', pieces }, bare }, position)
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

  /**
   * Reads up to space, quote or parenthesis; with `mayBeField`, up to the colon that makes it a field's name. `bare` if
   * it has a colon that is text only because of what is before or behind it, as an operator is in `AND"b"`.
   */
  #word(mayBeField: boolean): { pieces: string[]; field: boolean; bare: boolean } {
    const pieces = ['']
    const append = (text: string) => pieces.push((pieces.pop() ?? '') + text)
    // A name that begins with an escaped character is meant as one.
    const meant = this.#text[this.#at] === '\\'
    let bare = false
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at] ?? ''
      if (/[\s()"]/.test(character)) break
      if (character === '\\' && this.#at + 1 < this.#text.length) append(this.#text[++this.#at] ?? '')
      else if (character === '*') pieces.push('')
      else if (character === ':' && mayBeField && !bare && this.#isField(pieces.join('*'), meant)) {
        this.#at++
        return { pieces, field: true, bare }
      } else {
        bare ||= character === ':' && mayBeField
        append(character)
      }
    }
    return { pieces, field: false, bare }
  }

  #isField(name: string, meant: boolean): boolean {
    if (name === '') return false
    return meant || isField(name, this.#text.slice(this.#at + 1), this.#kindOf)
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

  #range(position: number): Matcher {
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
    return { kind: 'range', from, to, includeFrom, includeTo: end === ']' }
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
