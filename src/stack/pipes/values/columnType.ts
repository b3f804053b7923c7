/** Column types as trees, from the engine's spelling. */

export interface ColumnType {
  /** The text of the type, such as `Array(UInt8)`. */
  text: string
  /** Its name without arguments: `Array`. */
  name: string
  /** The types in it; none for other arguments, such as numbers. */
  parts: readonly { name: string | null; type: ColumnType }[]
  /** The arguments as texts. */
  args: readonly string[]
}

/** Types that consist of other types. What others have in brackets are numbers and texts. */
const composed = new Set(['Array', 'Map', 'Tuple', 'Nested', 'Nullable', 'LowCardinality'])

/** @param text as the engine spells it */
export function columnType(text: string): ColumnType {
  const type = text.trim()
  const open = type.indexOf('(')
  if (open < 0) return { text: type, name: type, parts: [], args: [] }
  const name = type.slice(0, open)
  const args = splitArguments(type.slice(open + 1, type.lastIndexOf(')')))
  const parts = composed.has(name)
    ? args.map((argument) => partOf(argument, name === 'Tuple' || name === 'Nested'))
    : []
  return { text: type, name, parts, args }
}

/** The type without `Nullable` and `LowCardinality` around it, and whether it has a null. */
export function plainType(type: ColumnType): { type: ColumnType; isNullable: boolean } {
  const [only] = type.parts
  if (!only || (type.name !== 'Nullable' && type.name !== 'LowCardinality')) return { type, isNullable: false }
  const inner = plainType(only.type)
  return { type: inner.type, isNullable: inner.isNullable || type.name === 'Nullable' }
}

/** Types that have a null themselves. */
const withNull = new Set(['Dynamic', 'Variant', 'Nothing'])

/** Whether a column of a type can be null. */
export function hasNull(declared: ColumnType): boolean {
  const { type, isNullable } = plainType(declared)
  return isNullable || withNull.has(type.name)
}

/** Types that cannot be Nullable, besides those that consist of others. */
const neverNullable = new Set(['JSON', 'Object', 'AggregateFunction', 'SimpleAggregateFunction', ...withNull])

/** The Nullable form of a type; null for a type that already has a null, or that cannot be Nullable. */
export function nullableType(type: ColumnType): string | null {
  if (type.name === 'LowCardinality') {
    const inner = type.parts[0] ? nullableType(type.parts[0].type) : null
    return inner === null ? null : `LowCardinality(${inner})`
  }
  if (hasNull(type) || type.parts.length > 0 || neverNullable.has(type.name)) return null
  return `Nullable(${type.text})`
}

/** The values of an Enum by name. */
export function enumValues({ args }: ColumnType): Map<string, number> {
  return new Map(
    args.map((argument) => {
      const at = argument.lastIndexOf('=')
      return [unquoted(argument.slice(0, at).trim()), Number(argument.slice(at + 1))]
    }),
  )
}

function partOf(argument: string, mayHaveName: boolean): { name: string | null; type: ColumnType } {
  const end = mayHaveName ? nameEnd(argument) : 0
  if (end === 0) return { name: null, type: columnType(argument) }
  return { name: unquoted(argument.slice(0, end)), type: columnType(argument.slice(end)) }
}

/** Where the name in front of a type ends; 0 without one. */
function nameEnd(argument: string): number {
  const quoted = /^`(?:[^`\\]|\\.)*`/s.exec(argument)?.[0]
  if (quoted !== undefined) return quoted.length
  return /^\w+(?=\s+\w)/.exec(argument)?.[0].length ?? 0
}

/** The text of a literal or of a name in quotes. */
function unquoted(text: string): string {
  if (!/^['`]/.test(text)) return text
  return text.slice(1, -1).replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' }

/** Splits at the commas that are in no brackets and in no quotes. */
function splitArguments(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "'" || character === '`') at = closingQuote(text, at)
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth === 0) {
      found.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  const last = text.slice(from).trim()
  return last === '' && found.length === 0 ? [] : [...found, last]
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[open]) return at
  }
  return text.length
}
