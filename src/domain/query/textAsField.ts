/** Names that a filter has as text before a colon, and the filter in which one of them is a field. */
import type { Token } from './filterTokens.ts'
import { tokensWithText } from './namesAsText.ts'
import { printField } from './printFilter.ts'

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
