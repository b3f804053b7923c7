/**
 * Moves through JSON text without creating values, to measure it before it is parsed.
 * It validates only the structure. The parser validates the values.
 */
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from './jsonBytes.ts'

export class JsonSyntaxError extends Error {}

export class JsonCursor {
  at = 0
  readonly #bytes: Buffer
  #first = false

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.at = at
    this.#space()
  }

  isAt(bracket: '{' | '['): boolean {
    return this.#bytes[this.at] === (bracket === '{' ? openBrace : openBracket)
  }

  /** Steps into an object or a list. */
  open(bracket: '{' | '['): void {
    this.#expect(bracket === '{' ? openBrace : openBracket)
    this.#space()
    this.#first = true
  }

  /** Steps to the next member of the object, or out of it. */
  member(): boolean {
    return this.#next(closeBrace)
  }

  /** Steps to the next item of the list, or out of it. */
  item(): boolean {
    return this.#next(closeBracket)
  }

  /** Reads the name of a member, and steps to its value. */
  key(): string {
    const start = this.at
    if (this.#bytes[start] !== quote) throw this.#unexpected()
    this.#passString()
    const text = this.#bytes.toString('latin1', start, this.at)
    this.#space()
    this.#expect(colon)
    this.#space()
    return text.includes('\\') ? unescaped(text) : text.slice(1, -1)
  }

  /**
   * Steps past a value.
   * @returns the number of values, including itself, and the depth of nested brackets; at most one more than
   * `maxDepth`, where it stops
   */
  skipValue(maxDepth: number): { values: number; depth: number } {
    const bytes = this.#bytes
    let values = 1
    let depth = 0
    let deepest = 0
    for (;;) {
      const byte = bytes[this.at]
      if (byte === undefined) throw this.#unexpected()
      if (byte === quote) this.#passString()
      else if (byte === openBrace || byte === openBracket) {
        values += 1
        depth += 1
        this.at += 1
        if (depth > deepest) deepest = depth
        if (depth > maxDepth) return { values, depth }
        continue
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1
        this.at += 1
        if (depth < 0) throw this.#unexpected()
      } else if (byte === comma) {
        if (depth === 0) throw this.#unexpected()
        values += 1
        this.at += 1
        continue
      } else if (depth === 0) this.#passScalar()
      else {
        this.at += 1
        continue
      }
      if (depth === 0) break
    }
    this.#space()
    return { values, depth: deepest }
  }

  /** The text ends here. */
  end(): void {
    if (this.at < this.#bytes.length) throw this.#unexpected()
  }

  #next(closing: number): boolean {
    if (this.#bytes[this.at] === closing) {
      this.at += 1
      this.#space()
      this.#first = false
      return false
    }
    if (!this.#first) {
      this.#expect(comma)
      this.#space()
    }
    this.#first = false
    return true
  }

  #expect(byte: number): void {
    if (this.#bytes[this.at] !== byte) throw this.#unexpected()
    this.at += 1
  }

  #passString(): void {
    const bytes = this.#bytes
    let at = this.at + 1
    for (let byte = bytes[at]; byte !== quote; byte = bytes[at]) {
      if (byte === undefined) throw this.#unexpected()
      at += byte === backslash ? 2 : 1
    }
    this.at = at + 1
  }

  /** A number or a word: up to what can follow a value. */
  #passScalar(): void {
    const start = this.at
    for (let byte = this.#bytes[this.at]; byte !== undefined && !endsScalar(byte); byte = this.#bytes[this.at]) {
      this.at += 1
    }
    if (this.at === start) throw this.#unexpected()
  }

  #space(): void {
    while (isSpace(this.#bytes[this.at])) this.at += 1
  }

  #unexpected(): JsonSyntaxError {
    const found = this.at < this.#bytes.length ? 'unexpected text' : 'it ends too early'
    return new JsonSyntaxError(`${found} at byte ${this.at}`)
  }
}

function endsScalar(byte: number): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || byte === colon || isSpace(byte)
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    throw new JsonSyntaxError('a name is not JSON')
  }
}
