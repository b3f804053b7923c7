/** The attributes that the value of a heatmap is computed of: rows that were selected by it differ in them, which says nothing. */
import type { AttributeCounts } from '#domain/explanation/attributeCounts.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import { sqlTokens, type SqlToken } from '#domain/query/sqlTokens.ts'
import type { ValueRange } from './question.ts'

interface Counted {
  counts: readonly AttributeCounts[]
  clocks: readonly string[]
}

/** Counts of the attributes that are not in the expression of the value. */
export function withoutSelecting(
  { counts, clocks }: Counted,
  values: Pick<ValueRange, 'text'> | undefined,
): { counts: AttributeCounts[]; clocks: string[] } {
  const isLeftOut = values ? isSelecting(values.text) : () => false
  return {
    counts: counts.filter(({ attribute }) => !isLeftOut(attribute)),
    clocks: clocks.filter((attribute) => !isLeftOut(attribute)),
  }
}

/**
 * Whether an attribute is in the expression of a value: a column, a key as `arrayElement(SpanAttributes, 'took')`, `SpanAttributes['took']`
 * or `SpanAttributes.took`, or any key of a column that is in it as a whole.
 */
function isSelecting(text: string): (attribute: string) => boolean {
  const tokens = sqlTokens(text).filter(({ kind }) => kind !== 'space' && kind !== 'comment')
  const found = new Set<string>()
  const columns: string[] = []
  for (const [at, token] of tokens.entries()) {
    if (!isName(token) || isPartOfPath(tokens, at) || tokens[at + 1]?.text === '(') continue
    const [column = '', ...path] = pathAt(tokens, at)
    const key = keyAt(tokens, at)
    if (key !== null) found.add(attributeOf(column, key))
    else if (path.length === 0) columns.push(column)
    // Keys may have dots, and objects may be in objects.
    for (const length of path.keys()) found.add(attributeOf(column, path.slice(0, length + 1).join('.')))
  }
  return (attribute) =>
    found.has(attribute) || columns.some((column) => attribute === column || attribute.startsWith(`${column}['`))
}

const isName = (token: SqlToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'name'

const isPartOfPath = (tokens: readonly SqlToken[], at: number): boolean =>
  tokens[at - 1]?.text === '.' && isName(tokens[at - 2])

/** The names of `column.key.part`, which may be in one pair of quotes. */
function pathAt(tokens: readonly SqlToken[], start: number): string[] {
  const names: string[] = []
  for (let at = start; isName(tokens[at]); at += 2) {
    names.push(...nameOf(tokens[at]?.text ?? '').split('.'))
    if (tokens[at + 1]?.text !== '.') break
  }
  return names
}

/** The key that is read of a column; null if it is none, or not known. */
function keyAt(tokens: readonly SqlToken[], at: number): string | null {
  const isElement = tokens[at - 1]?.text === '(' && /^arrayElement$/i.test(tokens[at - 2]?.text ?? '')
  const [open, key, end] = tokens.slice(at + 1)
  const isKey = (isElement && open?.text === ',' && end?.text === ')') || (open?.text === '[' && end?.text === ']')
  return isKey && key?.kind === 'text' ? unquoted(key.text) : null
}

const nameOf = (text: string): string => (/^[`"]/.test(text) ? unquoted(text) : text)

const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replaceAll(/\\x([\da-fA-F]{2})|\\([\s\S])|''/g, (_, code: string | undefined, escaped: string | undefined) =>
      code === undefined ? (escaped ?? "'") : String.fromCharCode(Number.parseInt(code, 16)),
    )
