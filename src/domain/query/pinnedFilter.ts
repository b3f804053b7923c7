/**
 * The conditions that a list of values beside a search can show: one column with `IN (…)`, `NOT IN (…)` or
 * `BETWEEN n AND n`. docs/DEPLOYMENTS.md#saved-searches.
 */

export interface PinnedFilter {
  /** A column, a key of a map, or a function of them. */
  column: string
  operator: 'IN' | 'NOT IN' | 'BETWEEN'
  /** The literals as written, texts with their quotes. */
  literals: string[]
}

/** @returns the parts of the condition, or null if it is anything else */
export function readPinnedFilter(condition: string): PinnedFilter | null {
  const reader = new Reader(condition)
  const column = reader.column()
  if (column === null) return null
  const rest = readValues(reader)
  return rest && reader.atEnd() ? { column, ...rest } : null
}

function readValues(reader: Reader): Omit<PinnedFilter, 'column'> | null {
  if (reader.word('BETWEEN')) {
    const from = reader.number()
    const to = reader.word('AND') ? reader.number() : null
    return from !== null && to !== null ? { operator: 'BETWEEN', literals: [from, to] } : null
  }
  const operator = reader.word('NOT') ? 'NOT IN' : 'IN'
  if (!reader.word('IN') || !reader.symbol('(')) return null
  const literals: string[] = []
  do {
    const literal = reader.literal()
    if (literal === null) return null
    literals.push(literal)
  } while (reader.symbol(','))
  return reader.symbol(')') ? { operator, literals } : null
}

const patterns = {
  space: /\s*/y,
  name: /[A-Za-z_][A-Za-z0-9_]*|`(?:[^`\\]|\\.)+`|"(?:[^"\\]|\\.)+"/y,
  text: /'(?:[^'\\]|\\.|'')*'/y,
  number: /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_])/y,
  constant: /(?:true|false|null)(?![A-Za-z0-9_])/iy,
  word: /[A-Za-z]+(?![A-Za-z0-9_])/y,
}

/** Words that cannot name a column. */
const keywords = /^(?:not|and|or|in|between|case|select|interval|is|like|ilike)$/i

/** Functions inside functions, at most. */
const maxDepth = 8

/** Reads a condition from left to right. */
class Reader {
  #position = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  atEnd(): boolean {
    this.#take(patterns.space)
    return this.#position === this.#text.length
  }

  symbol(symbol: string): boolean {
    this.#take(patterns.space)
    if (!this.#text.startsWith(symbol, this.#position)) return false
    this.#position += symbol.length
    return true
  }

  word(word: string): boolean {
    this.#take(patterns.space)
    const start = this.#position
    if (this.#take(patterns.word)?.toUpperCase() === word) return true
    this.#position = start
    return false
  }

  number(): string | null {
    this.#take(patterns.space)
    return this.#take(patterns.number)
  }

  literal(): string | null {
    return this.number() ?? this.#take(patterns.text) ?? this.#take(patterns.constant)
  }

  /** @returns the text of a column expression, or null */
  column(depth = 0): string | null {
    this.#take(patterns.space)
    const start = this.#position
    return this.#readColumn(depth) ? this.#text.slice(start, this.#position) : null
  }

  #readColumn(depth: number): boolean {
    const name = this.#take(patterns.name)
    if (name === null || keywords.test(name) || depth > maxDepth) return false
    if (this.#follows('(')) return this.#readArguments(depth)
    while (this.#follows('.')) {
      if (this.#take(patterns.name) === null) return false
    }
    while (this.#follows('[')) {
      if (this.literal() === null || !this.symbol(']')) return false
    }
    return true
  }

  #readArguments(depth: number): boolean {
    do {
      if (this.literal() === null && this.column(depth + 1) === null) return false
    } while (this.symbol(','))
    return this.symbol(')')
  }

  /** Unlike `symbol`, without space before it. */
  #follows(symbol: string): boolean {
    if (!this.#text.startsWith(symbol, this.#position)) return false
    this.#position += symbol.length
    return true
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#position
    const [match] = pattern.exec(this.#text) ?? []
    if (match === undefined) return null
    this.#position += match.length
    return match
  }
}
