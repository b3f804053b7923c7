/** SQL expressions cut into tokens, as ClickHouse reads them. Joined again, the tokens are the text. */

export interface SqlToken {
  /** `text` is in single quotes, `name` in backticks or double quotes; `sign` is any other single character. */
  kind: 'text' | 'name' | 'number' | 'word' | 'comment' | 'space' | 'sign'
  text: string
}

const patterns: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['space', /\s+/y],
  ['comment', /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y],
  ['text', /'(?:[^'\\]|\\[\s\S]|'')*'?/y],
  ['name', /`(?:[^`\\]|\\[\s\S]|``)*`?|"(?:[^"\\]|\\[\s\S]|"")*"?/y],
  ['word', /[A-Za-z_][\w$]*/y],
  ['number', /0[xX][\da-fA-F]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y],
]
/** Behind a dot that follows a value, digits are the place in a tuple. */
const place = /\d+/y

/** The tokens of an expression; quotes and comments that do not end go to the end of the text. */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = []
  for (let at = 0; at < sql.length;) {
    const token = tokenAt(sql, at, tokens)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(sql: string, at: number, before: readonly SqlToken[]): SqlToken {
  if (isAccess(before)) {
    place.lastIndex = at
    const found = place.exec(sql)?.[0]
    if (found) return { kind: 'number', text: found }
  }
  if (sql[at] === '.' && endsValue(before.at(-1))) return { kind: 'sign', text: '.' }
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const found = pattern.exec(sql)?.[0]
    if (found) return { kind, text: found }
  }
  return { kind: 'sign', text: sql[at] ?? '' }
}

/** Whether what comes next belongs to the value before a dot: `tuple.1`, `column.path`. */
const isAccess = (before: readonly SqlToken[]): boolean => before.at(-1)?.text === '.' && endsValue(before.at(-2))

const endsValue = (token: SqlToken | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'word' ||
    token.kind === 'name' ||
    token.kind === 'number' ||
    (token.kind === 'sign' && /[)\]}]/.test(token.text)))
