/** Which words before a colon are names of fields, and how expressions of SQL are named as fields. */

/**
 * Classifies a name: a field; similar to a field, so that it may be misspelled; or text. Undefined if nothing is known.
 */
export type FieldKind = (name: string) => 'field' | 'similar' | 'text' | undefined

/**
 * Whether a word before a colon names a field, and is not text such as `12:30:45`, `std::exception` or `arn:aws:s3`.
 *
 * @param value the text after the colon
 */
export function isField(name: string, value: string, kindOf?: FieldKind): boolean {
  const kind = kindOf?.(name)
  if (kind === 'field' || kind === 'text') return kind === 'field'
  return canBeField(name, value) && (kind === 'similar' || !isPartOfChain(name, value))
}

/**
 * A field begins with the name of a column: letters, digits, `_` and `-` up to a dot or a bracket. A value begins
 * neither with a second colon nor with the `//` of an address; `localhost` is the reserved name of a host, whose port
 * follows.
 */
function canBeField(name: string, value: string): boolean {
  if (!/^[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:[.[]|$)/u.test(name)) return false
  if (value.startsWith(':') || value.startsWith('//')) return false
  return !(/^localhost$/i.test(name) && /^\d/.test(value))
}

/**
 * `arn:aws:s3`, `ERROR:main:message`: one of several words, in one case and without the dot or `_` that columns have.
 * The address in `url:http://host` is a value.
 */
function isPartOfChain(name: string, value: string): boolean {
  if (!/^(?:[\p{Ll}\p{Lo}\p{N}-]+|[\p{Lu}\p{Lo}\p{N}-]+)$/u.test(name)) return false
  return /^\p{L}[\p{L}\p{N}_-]*:(?!\/\/)/u.test(value)
}

/**
 * The field of an expression: a column, or the key of a map (`Attributes['a.b']` is the field `Attributes.a.b`). Null
 * for any other expression.
 */
export function fieldOf(expression: string): string | null {
  const text = expression.trim()
  if (/^[A-Za-z_][\w.]*$/.test(text)) return text
  const [, column, key] = /^([A-Za-z_]\w*)\['((?:[^'\\]|\\.|'')+)'\]$/s.exec(text) ?? []
  if (column === undefined || key === undefined) return null
  return `${column}.${key.replace(/\\(.)|''/gs, (_, escaped: string | undefined) => escaped ?? "'")}`
}
