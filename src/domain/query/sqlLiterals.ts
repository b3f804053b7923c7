/** SQL without what may be secret in it. */
import { sqlTokens, type SqlToken } from './sqlTokens.ts'

/** The statement on one line, with `'…'` in place of texts, and without comments. Numbers and names stay. */
export function withoutLiterals(statement: string): string {
  return sqlTokens(statement).map(shortenedToken).join('').replaceAll(/\s+/g, ' ').trim()
}

/** Names of columns and keys whose values are secret. */
const secretName = /passw|secret|token|api_?key|auth|credential|private|session/i
/** Keys and tokens look like this; words, names and addresses do not. */
const isKey = (text: string) =>
  text.length >= 18 && /^[\w+/=.-]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text)

/** The statement with `'…'` in place of texts that look secret, by themselves or by the name that they are compared with. */
export function withoutSecrets(statement: string): string {
  const tokens = sqlTokens(statement)
  const isSecret = ({ kind, text }: SqlToken, at: number) =>
    kind === 'text' &&
    (isKey(text.slice(1, -1)) ||
      tokens.slice(Math.max(0, at - 8), at).some((before) => before.kind !== 'space' && secretName.test(before.text)))
  return tokens.map((token, at) => (isSecret(token, at) ? "'…'" : token.text)).join('')
}

function shortenedToken({ kind, text }: SqlToken): string {
  if (kind === 'text') return "'…'"
  return kind === 'comment' ? ' ' : text
}
