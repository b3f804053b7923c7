/**
 * Parses the output of PostgreSQL's `test_decoding`: one line for each change, such as
 * `table public.orders: UPDATE: old-key: id[bigint]:1 new-tuple: id[bigint]:2 note[text]:'it''s'`.
 */

export interface Change {
  /** Schema and name, unquoted. */
  table: { schema: string; name: string }
  kind: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE'
  /** The previous key, if it changed or the row was deleted. */
  before: Tuple
  after: Tuple
}

/** Columns by name. Undefined for a value that is not in the line, null for NULL. */
export type Tuple = ReadonlyMap<string, string | null | undefined>

const none: Tuple = new Map()

/** The changes of a line: several for a TRUNCATE of several tables, none for BEGIN and COMMIT. Throws on other text. */
export function parseChange(line: string): Change[] {
  if (/^(BEGIN|COMMIT)\b/.test(line)) return []
  const reader = new Reader(line)
  reader.expect('table ')
  const tables = [reader.table()]
  while (reader.skip(', ')) tables.push(reader.table())
  reader.expect(': ')
  const kind = reader.kind()
  reader.expect(': ')
  if (kind === 'TRUNCATE') return tables.map((table) => ({ table, kind, before: none, after: none }))
  const [table] = tables
  if (!table) throw new TypeError('a change has a table')
  if (reader.skip('(no-tuple-data)')) return [{ table, kind, before: none, after: none }]
  if (kind === 'DELETE') return [{ table, kind, before: reader.tuple(), after: none }]
  const before = reader.skip('old-key: ') ? reader.tuple('new-tuple: ') : none
  return [{ table, kind, before, after: reader.tuple() }]
}

/** The number of the transaction that begins with a line; null for other lines. */
export function transactionOf(line: string): string | null {
  return /^BEGIN (\d+)$/.exec(line)?.[1] ?? null
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  skip(words: string): boolean {
    if (!this.#text.startsWith(words, this.#at)) return false
    this.#at += words.length
    return true
  }

  expect(words: string): void {
    if (!this.skip(words)) throw this.#unreadable()
  }

  table(): Change['table'] {
    const schema = this.#identifier('.')
    this.expect('.')
    return { schema, name: this.#identifier(':,') }
  }

  kind(): Change['kind'] {
    for (const kind of ['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const) if (this.skip(kind)) return kind
    throw this.#unreadable()
  }

  /** Columns up to a text, or to the end of the line. */
  tuple(end?: string): Tuple {
    const columns = new Map<string, string | null | undefined>()
    while (this.#at < this.#text.length) {
      if (end && this.skip(end)) return columns
      const name = this.#identifier('[')
      this.expect('[')
      this.#type()
      columns.set(name, this.#value())
      this.skip(' ')
    }
    return columns
  }

  /** A name, which may be in double quotes. */
  #identifier(ends: string): string {
    if (this.skip('"')) return this.#quoted('"')
    const begin = this.#at
    while (this.#at < this.#text.length && !ends.includes(this.#text.charAt(this.#at))) this.#at++
    return this.#text.slice(begin, this.#at)
  }

  /** A type up to its final `]:`. It may contain brackets of arrays and quoted names. */
  #type(): void {
    while (!this.skip(']:')) {
      if (this.#at >= this.#text.length) throw this.#unreadable()
      if (this.skip('"')) this.#quoted('"')
      else this.#at++
    }
  }

  #value(): string | null | undefined {
    if (this.skip('unchanged-toast-datum')) return undefined
    this.skip('B')
    if (this.skip("'")) return this.#quoted("'")
    const end = this.#text.indexOf(' ', this.#at)
    const word = this.#text.slice(this.#at, end < 0 ? undefined : end)
    this.#at += word.length
    return word === 'null' ? null : word
  }

  /** The rest of a quoted text, in which quotes are doubled. */
  #quoted(quote: string): string {
    let text = ''
    for (;;) {
      const end = this.#text.indexOf(quote, this.#at)
      if (end < 0) throw this.#unreadable()
      text += this.#text.slice(this.#at, end)
      this.#at = end + 1
      if (!this.skip(quote)) return text
      text += quote
    }
  }

  /** The error does not quote the line, which may contain private data. */
  #unreadable(): Error {
    return new Error(`cannot parse a change from the server, at character ${this.#at + 1}`)
  }
}
