/**
 * Adds a column to text without a field in conditions of the field:value language, because charts have no default
 * column.
 */

const operator = /(?:AND|OR|NOT|&&|\|\|)(?=[\s()]|$)/y
const word = /(?:\\[\s\S]|[^\s()"\\])+|\\/y
const quoted = /"(?:\\[\s\S]|[^"\\])*"/y

/**
 * The condition with `order` written as `Body:(order)`. An invalid one is unchanged: the deployment reports the
 * error.
 */
export function withFreeTextIn(field: string, condition: string): string {
  let written = ''
  for (let at = 0; at < condition.length;) {
    const { text, free } = partAt(condition, at)
    if (text === '') return condition
    written += free ? `${field}:(${asValue(text)})` : text
    at += text.length
  }
  return written
}

/** Within brackets, a value with this prefix would be a range or a comparison. */
const asValue = (text: string): string => (/^[[{<>]/.test(text) ? `\\${text}` : text)

/** The token at a position; empty text if it does not end. */
function partAt(condition: string, at: number): { text: string; free: boolean } {
  const character = condition[at] ?? ''
  if (/[\s()]/.test(character)) return { text: character, free: false }
  if (/[-!]/.test(character) && /[^\s)]/.test(condition[at + 1] ?? ' ')) return { text: character, free: false }
  const joins = match(operator, condition, at)
  if (joins) return { text: joins, free: false }
  if (character === '"') return { text: match(quoted, condition, at), free: true }
  const text = match(word, condition, at)
  const colon = fieldEnd(text)
  if (colon < 0) return { text, free: true }
  const value = valueAt(condition, at + colon + 1)
  return { text: value === null ? '' : text.slice(0, colon + 1) + value, free: false }
}

/** Where the colon is that makes a word a field; -1 in `http://…`, `localhost:8080` and words without one. */
function fieldEnd(text: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ':' && !isAddress(text.slice(0, at), text.slice(at + 1))) return at
  }
  return -1
}

const isAddress = (before: string, after: string): boolean =>
  /^https?:\/\//i.test(before) ||
  (/^https?$/i.test(before) && after.startsWith('//')) ||
  (/^localhost$/i.test(before) && /^\d/.test(after))

/** The value behind `field:`; null if it does not end. */
function valueAt(condition: string, at: number): string | null {
  const character = condition[at] ?? ''
  if (character === '(') return enclosed(condition, at, /[()]/)
  if (character === '[' || character === '{') return enclosed(condition, at, /[\]}]/)
  const compare = /^[<>]=?/.exec(condition.slice(at, at + 2))?.[0] ?? ''
  const start = at + compare.length
  if (condition[start] !== '"') return compare + match(word, condition, start)
  const text = match(quoted, condition, start)
  return text === '' ? null : compare + text
}

/** From an opening bracket to the one that closes it, whatever is quoted in between; null if none does. */
function enclosed(condition: string, start: number, brackets: RegExp): string | null {
  let depth = 1
  for (let at = start + 1; at < condition.length; at++) {
    const character = condition[at] ?? ''
    if (character === '\\') at++
    else if (character === '"') {
      const text = match(quoted, condition, at)
      if (text === '') return null
      at += text.length - 1
    } else if (brackets.test(character)) {
      depth += character === '(' ? 1 : -1
      if (depth === 0) return condition.slice(start, at + 1)
    }
  }
  return null
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
