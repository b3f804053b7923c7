/** SQL without what may be secret in it. */
import { sqlTokens, type SqlToken } from './sqlTokens.ts'

/** The statement on one line, with `'…'` in place of texts, and without comments. Numbers and names stay. */
export function withoutLiterals(statement: string): string {
  return sqlTokens(statement).map(shown).join('').replaceAll(/\s+/g, ' ').trim()
}

function shown({ kind, text }: SqlToken): string {
  if (kind === 'text') return "'…'"
  return kind === 'comment' ? ' ' : text
}
