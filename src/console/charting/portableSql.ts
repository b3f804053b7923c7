/**
 * Rewrites expressions so that every deployment computes them correctly: docs/DEPLOYMENTS.md#chart-series.
 *
 * Documents and pages keep the typed text; only requests have this form.
 */
import { sqlTokens, type SqlToken } from '#domain/query/sqlTokens.ts'
import { quotedText } from '#domain/query/sqlValues.ts'

/**
 * An expression without dots, because deployments treat an expression with a dot as text. `maps` are the known map
 * columns. A dot that cannot be replaced is kept, such as that of a tuple position.
 */
export function withoutDots(expression: string, maps: readonly string[]): string {
  const tokens = sqlTokens(mapKey(expression, maps) ?? expression)
  let sent = ''
  for (let at = 0; at < tokens.length; at++) {
    const path = pathAt(tokens, at)
    if (path) {
      sent += `\`${path.map(nameOf).join(dot)}\``
      at += path.length * 2 - 2
    } else sent += withoutDot(tokens[at]!)
  }
  return sent
}

/** A grouping expression that works on every deployment, if there is one. */
export function groupingOf(expression: string, maps: readonly string[]): string {
  return mapKey(expression, maps) ?? expression
}

/**
 * Whether the engine names the column of an expression as it is written: groups are found by that name in responses.
 */
export const keepsWrittenName = (expression: string): boolean =>
  /^(?:[A-Za-z_]\w*|arrayElement\([A-Za-z_]\w*, '[\w .:/@-]*'\))$/.test(expression)

/** `SpanAttributes['http.method']`, also written `SpanAttributes.http.method`, as a function call; null for all else. */
function mapKey(expression: string, maps: readonly string[]): string | null {
  const text = expression.trim()
  const bracketed = /^([A-Za-z_]\w*)\s*\[\s*(?:('(?:[^'\\]|\\.|'')*')|"([^"\\]*)")\s*\]$/s.exec(text)
  if (bracketed) return `arrayElement(${bracketed[1]}, ${bracketed[2] ?? quotedText(bracketed[3] ?? '')})`
  const [, map = '', key = ''] = /^([A-Za-z_]\w*)\.([\w./@-]+)$/.exec(text) ?? []
  return maps.includes(map) ? `arrayElement(${map}, ${quotedText(key)})` : null
}

/** A dot within quotes. */
const dot = String.raw`\x2E`
/** A backslash before a dot stands for itself. It is doubled, because the new spelling of the dot begins with a backslash. */
const inText: Partial<Record<string, string>> = { '.': dot, '\\.': String.raw`\\` + dot }

function withoutDot({ kind, text }: SqlToken): string {
  if (kind === 'comment') return ' '
  if (kind === 'number') return wholeNumber(text)
  if (kind === 'text') return text.replace(/\\[\s\S]|\./g, (part) => inText[part] ?? part)
  if (kind === 'name') return text.replaceAll('.', dot)
  return text
}

/** `1000000.0` -> `1000000e0`, `0.05` -> `5e-2`: a number of the same type. */
function wholeNumber(text: string): string {
  const [, whole = '', part, exponent = '0'] = /^(\d*)\.(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.replaceAll('_', '')) ?? []
  if (part === undefined) return text
  const digits = `${whole}${part.replace(/0+$/, '')}`
  const shift = Number(exponent) - part.replace(/0+$/, '').length
  return `${digits.replace(/^0+(?=\d)/, '') || '0'}e${shift}`
}

/** The names of a path at a position, `Events.Name`; null if there is none, or if it contains more than names. */
function pathAt(tokens: readonly SqlToken[], start: number): SqlToken[] | null {
  if (!isName(tokens[start]) || tokens[start - 1]?.text === '.') return null
  const path = [tokens[start]!]
  let at = start + 1
  for (; tokens[at]?.text === '.' && isName(tokens[at + 1]); at += 2) path.push(tokens[at + 1]!)
  const goesOn = tokens[at]?.text === '.' || tokens[at]?.text === '('
  return path.length > 1 && !goesOn ? path : null
}

const isName = (token: SqlToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'name'

/** A name as it is written between backticks. */
function nameOf({ kind, text }: SqlToken): string {
  if (kind === 'word') return text
  const inner = text.slice(1, -1).replaceAll('.', dot)
  return text.startsWith('"') ? inner.replaceAll('""', '"').replaceAll('`', '\\`') : inner
}
