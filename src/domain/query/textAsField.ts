/**
 * Words before a colon as fields or as text: the filter in which a name that its source does not have as a field is
 * text, and the one in which a name that is text is a field.
 */
import { type Token, tokenize } from './filterTokens.ts'
import { printField, printMatcher } from './printFilter.ts'
import { FilterError } from './filterSyntax.ts'

/** The names of a set that a filter has as text before a colon, in the order of the set. */
export function namesInText(text: string, names: ReadonlySet<string>): string[] {
  const { tokens } = tokensWithText(text, names)
  return [...names].filter((name) => tokens.some((token) => isTextOf(token, name)))
}

/** The filter in which a name that is text before a colon is a field: `Error\: timeout` as `LogAttributes.Error:timeout`. */
export function withTextAsField(text: string, name: string, field: string): string {
  const { tokens } = tokensWithText(text, new Set([name]))
  return tokens.reduceRight((whole, token, at) => {
    if (!isTextOf(token, name)) return whole
    const next = tokens[at + 1]
    const start = afterColon(text, token.position, name)
    const isWhole = start >= token.end
    const follows = next?.kind === 'value' || next?.kind === '('
    const end = isWhole && follows ? next.position : start
    // An operator is escaped where it is text.
    const rest = whole.slice(end).replace(/^\\([<>])(?:\\(=))?/, '$1$2')
    return `${whole.slice(0, token.position)}${printField(field)}:${isWhole && !follows ? '*' : ''}${rest}`
  }, text)
}

function isTextOf(token: Token, name: string): boolean {
  return (
    token.kind === 'value' && token.matcher.kind === 'word' && token.matcher.pieces.join('*').startsWith(`${name}:`)
  )
}

/** The offset after a name and its colon. Both may be escaped. */
function afterColon(text: string, position: number, name: string): number {
  let at = position
  for (let read = 0; read <= name.length; read++) at += text[at] === '\\' && at + 1 < text.length ? 2 : 1
  return at
}

/** The names that a filter uses as fields, also those that no value follows: `Error: timeout`. None if it is invalid. */
export function namesOfFields(text: string): string[] {
  const { tokens, withoutValue } = tokensWithText(text, new Set())
  return [...new Set([...withoutValue, ...tokens.flatMap((token) => (token.kind === 'field' ? token.name : []))])]
}

/** The filter in which names before a colon are text: `Error: timeout` as `Error\: timeout`. The rest is kept as written. */
export function withNamesAsText(text: string, names: ReadonlySet<string>): string {
  return tokensWithText(text, names).tokens.reduceRight((whole, token) => {
    if (token.kind !== 'value' || !token.bare || token.matcher.kind !== 'word') return whole
    const word = token.matcher.pieces.join('*')
    if (![...names].some((name) => word.startsWith(`${name}:`))) return whole
    return spliced(whole, token, printMatcher(token.matcher))
  }, text)
}

const spliced = (text: string, { position, end }: Token, written: string): string =>
  text.slice(0, position) + written + text.slice(end)

/** The tokens of a filter with some names as text, and those that no value follows, which are text too; none if it is invalid. */
function tokensWithText(text: string, names: ReadonlySet<string>): { tokens: Token[]; withoutValue: string[] } {
  const withoutValue: string[] = []
  for (;;) {
    try {
      const isText = (name: string) => names.has(name) || withoutValue.includes(name)
      return { tokens: tokenize(text, (name) => (isText(name) ? 'text' : undefined)), withoutValue }
    } catch (error) {
      if (!(error instanceof FilterError)) throw error
      if (error.field === undefined || withoutValue.includes(error.field)) return { tokens: [], withoutValue: [] }
      withoutValue.push(error.field)
    }
  }
}
