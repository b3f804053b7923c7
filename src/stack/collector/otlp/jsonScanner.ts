/** Reads the tokens of JSON text from its bytes, strictly, without creating objects for lists and objects. */
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
} from '../../http/jsonBytes.ts'
import { maxDepth, tooDeep } from './decodeLimits.ts'

/** The text is not JSON, or not such a message; the error message names the field. */
export class MalformedJson extends Error {}

const minus = 0x2d
const space = 0x20

/** More digits than any double has. */
const maxDigits = 1100
/** Maximum nesting of brackets: each level of messages can be in a list. */
const maxBrackets = 2 * maxDepth
const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

export class JsonScanner {
  readonly bytes: Buffer
  at = 0
  /** The bytes of the last string, without quotes. */
  start = 0
  end = 0
  /** The lower and the upper half of the last `digits`. */
  low = 0
  high = 0
  /** The last string if it has escape sequences; then its bytes are not its text. */
  unescaped: string | undefined

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Steps to the next token. @returns its first byte, or 0 at the end of the text */
  peek(): number {
    const { bytes } = this
    for (let { at } = this; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte > space || !isSpace(byte)) {
        this.at = at
        return byte
      }
    }
    this.at = bytes.length
    return 0
  }

  isString(): boolean {
    return this.peek() === quote
  }

  isObject(): boolean {
    return this.peek() === openBrace
  }

  isList(): boolean {
    return this.peek() === openBracket
  }

  /** Steps into the object, to its first member. @returns whether it has one */
  object(): boolean {
    return this.#enter(closeBrace)
  }

  /** Steps into the list, to its first item. @returns whether it has one */
  list(): boolean {
    return this.#enter(closeBracket)
  }

  /** Steps from the end of a member to the next one, or out of the object. */
  nextMember(): boolean {
    return this.#next(closeBrace)
  }

  /** Steps from the end of an item to the next one, or out of the list. */
  nextItem(): boolean {
    return this.#next(closeBracket)
  }

  /** Steps past the name of a member, which is the last string then, to its value. */
  name(): void {
    if (!this.isString()) throw this.#unexpected()
    this.string()
    if (this.peek() !== colon) throw this.#unexpected()
    this.at += 1
  }

  /** Steps past a string. */
  string(): void {
    const { bytes } = this
    const start = this.at + 1
    let at = start
    let escaped = false
    for (let byte = bytes[at]; byte !== quote; byte = bytes[at]) {
      if (byte === undefined || byte < space) throw this.#unexpected(at)
      if (byte === backslash) {
        escaped = true
        at += 2
      } else at += 1
    }
    this.start = start
    this.end = at
    this.at = at + 1
    this.unescaped = escaped ? this.#unescape() : undefined
  }

  /** The text of the last string. */
  text(): string {
    return this.unescaped ?? this.bytes.toString('utf8', this.start, this.end)
  }

  /** Steps past a null, if one is there. */
  isNull(): boolean {
    return this.peek() === 0x6e && this.#isWord('null')
  }

  /**
   * Steps past a text, a number or a word. An integer that a double may not hold is a bigint.
   * @returns undefined for an object or a list, and stays in front of it
   */
  scalar(): string | number | bigint | boolean | null | undefined {
    const byte = this.peek()
    if (byte === quote) {
      this.string()
      return this.text()
    }
    if (byte === minus || isDigit(byte)) return this.#number()
    if (byte === openBrace || byte === openBracket) return undefined
    if (this.#isWord('null')) return null
    if (this.#isWord('true')) return true
    if (this.#isWord('false')) return false
    throw this.#unexpected()
  }

  /** Steps past a number or a string of at most 19 digits, and sets `low` and `high`. @returns whether it is there */
  digits(): boolean {
    const { bytes } = this
    const quoted = this.isString() ? 1 : 0
    const start = this.at + quoted
    let at = start
    while (isDigit(bytes[at]!)) at += 1
    const next = bytes[at]
    if (quoted ? next !== quote : !endsNumber(next) || (bytes[start] === 0x30 && at > start + 1)) return false
    if (at === start || at > start + 19) return false
    this.at = at + quoted
    this.#setBits(start, at)
    return true
  }

  /** Steps past any value. */
  skip(brackets = 0): void {
    if (this.scalar() !== undefined) return
    if (brackets >= maxBrackets) throw tooDeep()
    if (this.isList()) {
      for (let more = this.list(); more; more = this.nextItem()) this.skip(brackets + 1)
      return
    }
    for (let more = this.object(); more; more = this.nextMember()) {
      this.name()
      this.skip(brackets + 1)
    }
  }

  /** The text ends here. */
  finish(): void {
    this.peek()
    if (this.at < this.bytes.length) throw this.#unexpected()
  }

  /** Sets `low` and `high` to a decimal number, by parts that doubles hold exactly. */
  #setBits(start: number, end: number): void {
    const { bytes } = this
    const middle = Math.max(start, end - 9)
    let [billions, rest] = [0, 0]
    for (let at = start; at < middle; at++) billions = billions * 10 + bytes[at]! - 0x30
    for (let at = middle; at < end; at++) rest = rest * 10 + bytes[at]! - 0x30
    const lower = (billions % 0x1_0000) * 1e9 + rest
    const upper = Math.floor(billions / 0x1_0000) * 1e9 + Math.floor(lower / 0x1_0000)
    this.low = (upper % 0x1_0000) * 0x1_0000 + (lower % 0x1_0000)
    this.high = Math.floor(upper / 0x1_0000)
  }

  #number(): number | bigint {
    const start = this.at
    let at = start + 1
    while (!endsNumber(this.bytes[at])) at += 1
    if (at - start > maxDigits) throw new MalformedJson(`a number may have at most ${maxDigits} digits`)
    const text = this.bytes.toString('latin1', start, at)
    if (!numberPattern.test(text)) throw this.#unexpected()
    this.at = at
    return text.length > 15 && /^-?\d+$/.test(text) ? BigInt(text) : Number(text)
  }

  #isWord(word: string): boolean {
    for (let at = 0; at < word.length; at++) if (this.bytes[this.at + at] !== word.charCodeAt(at)) return false
    this.at += word.length
    return true
  }

  #unescape(): string {
    try {
      // A string in quotes is a string.
      return JSON.parse(this.bytes.toString('utf8', this.start - 1, this.end + 1)) as string
    } catch {
      throw this.#unexpected(this.start)
    }
  }

  #enter(closing: number): boolean {
    this.at += 1
    if (this.peek() !== closing) return true
    this.at += 1
    return false
  }

  #next(closing: number): boolean {
    const byte = this.peek()
    if (byte !== comma && byte !== closing) throw this.#unexpected()
    this.at += 1
    return byte === comma
  }

  #unexpected(at = this.at): MalformedJson {
    const found = at < this.bytes.length ? 'unexpected text' : 'it ends too early'
    return new MalformedJson(`not JSON: ${found} at byte ${at}`)
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** A byte that can follow a value, or the end. */
function endsNumber(byte: number | undefined): boolean {
  return (
    byte === comma ||
    byte === closeBrace ||
    byte === closeBracket ||
    byte === undefined ||
    byte <= space ||
    byte === colon
  )
}
