/** The lexical check of an expression, without the engine: it must stay within the parentheses around it. */

/** The SQL expression is not acceptable. The message says what is wrong and what would be right. */
export class ExpressionError extends Error {
  override name = 'ExpressionError'
  /** The name that the engine has for such an error. */
  readonly type: string

  constructor(message: string, type: string = 'BAD_ARGUMENTS') {
    super(message)
    this.type = type
  }
}

/** The end of error messages. */
export const allowed = 'an expression uses columns, literals, operators and functions of one row, such as lower(Body)'

/** Words that begin something other than an expression. Windows are refused here since `EXPLAIN AST` hides their inside. */
const refusedInExpression = /^(select|with|union|explain|over|window)$/i
/** Words that are refused in complete SELECT statements. */
const refusedInSelect = /^(explain|over|window)$/i

const plain = /[\w\s.,()[\]+\-*/%=<>!?:|]/
const closing: Record<string, string> = { '(': ')', '[': ']' }

/**
 * Refuses comments, subqueries, windows, placeholders, statement ends, and quotes or parentheses that do not match. Throws
 * ExpressionError.
 *
 * @param select whether the text is a complete SELECT statement, which can have subqueries
 */
export function checkLexically(text: string, { select = false } = {}): void {
  if (text.trim() === '') throw new ExpressionError(select ? 'the statement is empty' : 'the expression is empty')
  const forbiddenKeywords = select ? refusedInSelect : refusedInExpression
  const open: { character: string; at: number }[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === "'" || character === '"' || character === '`') {
      at = endOfQuote(text, at)
    } else if (closing[character]) {
      open.push({ character, at })
    } else if (character === ')' || character === ']') {
      if (closing[open.pop()?.character ?? ''] !== character)
        throw new ExpressionError(`"${character}" at ${at + 1} has no opening bracket`)
    } else if (!plain.test(character)) {
      throw new ExpressionError(`"${character}" at ${at + 1} is not allowed in an expression`)
    } else if (/[A-Za-z_]/.test(character)) {
      const word = /^\w+/.exec(text.slice(at))?.[0] ?? character
      if (forbiddenKeywords.test(word)) {
        const instead = select ? '' : `: ${allowed}`
        throw new ExpressionError(`${word.toUpperCase()} at ${at + 1} is not allowed${instead}`)
      }
      at += word.length - 1
    } else if (/^(--|\/\*)/.test(text.slice(at, at + 2))) {
      throw new ExpressionError(`comments are not allowed ("${text.slice(at, at + 2)}" at ${at + 1})`)
    }
  }
  const unclosed = open.pop()
  if (unclosed) throw new ExpressionError(`"${unclosed.character}" at ${unclosed.at + 1} is not closed`)
}

/** Offset of the quote that ends what begins at `start`: a backslash or a doubled quote keeps it open. */
function endOfQuote(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]
    // The only escape in names: clients write a dot like this, because deployments treat an expression with a dot as text.
    const escaped = text.startsWith(String.raw`\x2E`, at)
    if (quote !== "'" && ((character === '\\' && !escaped) || (character ?? ' ') < ' ')) {
      throw new ExpressionError(`a quoted name may not contain "\\" or a line break (at ${at + 1})`)
    }
    if (character === '\\') at++
    else if (character === quote && text[at + 1] === quote) at++
    else if (character === quote) return at
  }
  throw new ExpressionError(`the quote at ${start + 1} is not closed`)
}
