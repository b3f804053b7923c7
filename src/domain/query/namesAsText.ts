/** Words before a colon that a source does not have as fields: the filter with them as text, or as another field. */
import { FilterError } from './filterSyntax.ts'
import { tokenize, type Token } from './filterTokens.ts'
import { printMatcher } from './printFilter.ts'

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
export function tokensWithText(text: string, names: ReadonlySet<string>): { tokens: Token[]; withoutValue: string[] } {
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
