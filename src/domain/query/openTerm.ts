/** The term that is being typed at the end of a filter, for suggestions. */
import { FilterError } from './filterSyntax.ts'
import { tokenize, type Token } from './filterTokens.ts'

export interface OpenTerm {
  field: string
  /** The part of the value that is typed. */
  value: string
  /** Where the value begins, with its quote. */
  start: number
}

/** Null if no value of a field is being typed: there is none, or it ends. */
export function openTerm(text: string): OpenTerm | null {
  const isQuoted = !tokensOf(text) && tokensOf(`${text}"`)
  // A letter stands for the value that is still missing after a colon.
  const typed = isQuoted ? `${text}"` : text.endsWith(':') ? `${text}x` : text
  const tokens = tokensOf(typed) ?? []
  const [field, value] = tokens.slice(-2)
  if (field?.kind !== 'field' || value?.kind !== 'value' || value.end !== typed.length) return null
  const { matcher } = value
  const start = value.position
  if (typed !== text && !isQuoted) return { field: field.name, value: '', start }
  if (matcher.kind === 'phrase' && isQuoted) return { field: field.name, value: matcher.text, start }
  return matcher.kind === 'word' ? { field: field.name, value: matcher.pieces.join('*'), start } : null
}

/** Where the word begins that is being typed at the end of a filter; its length if there is none. */
export function openWord(text: string): number {
  const last = tokensOf(text)?.at(-1)
  return last?.kind === 'value' && last.matcher.kind === 'word' && last.end === text.length
    ? last.position
    : text.length
}

function tokensOf(text: string): Token[] | null {
  try {
    return tokenize(text)
  } catch (error) {
    if (error instanceof FilterError) return null
    throw error
  }
}
