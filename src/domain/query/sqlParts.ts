/** The parts of a condition in SQL that AND joins. */
import { sqlTokens, type SqlToken } from './sqlTokens.ts'

/** Each part as it is written; a condition that something else joins on top is one part. */
export function sqlParts(where: string): string[] {
  const { parts, isJoined } = split(where)
  return (isJoined ? [where] : parts).map((part) => part.trim()).filter((part) => part !== '')
}

/** The condition with a further part. */
export function withSqlPart(where: string, added: string): string {
  const { isJoined } = split(where)
  const parts = sqlParts(where)
  if (parts.length === 0 || parts.includes(added)) return parts.length === 0 ? added : where
  return `${isJoined ? `(${withClosedComment(where)})` : withClosedComment(where)} AND ${added}`
}

/** Whole conditions, each in parentheses. */
export const joinedSql = (wheres: readonly string[]): string =>
  wheres.map((where) => `(${withClosedComment(where)})`).join(' AND ')

/** Whether a condition has balanced parentheses and no semicolon, so that it cannot end the parentheses around it. */
export function isBalancedCondition(where: string): boolean {
  const tokens = sqlTokens(joinedSql([where]))
  let depth = 0
  return tokens.every((token, at) => {
    depth += nesting(token)
    return token.text !== ';' && depth > 0 === at < tokens.length - 1
  })
}

/** Whether it is one expression that hides nothing: it ends what it begins, and has no comments. */
export const isOneExpression = (text: string): boolean =>
  isBalancedCondition(text) && sqlTokens(text).every(({ kind }) => kind !== 'comment')

/** A comment up to the end of its line would hide what follows. */
function withClosedComment(where: string): string {
  const text = where.trim()
  const last = sqlTokens(text).at(-1)
  return last?.kind === 'comment' && last.text.startsWith('--') ? `${text}\n` : text
}

/** `isJoined` if OR, or the choice `a ? b : c`, is on top, which binds less tightly than AND. */
function split(where: string): { parts: string[]; isJoined: boolean } {
  const parts = ['']
  let depth = 0
  let isJoined = false
  let isBetween = false
  for (const token of sqlTokens(where)) {
    depth += nesting(token)
    const word = depth === 0 && token.kind === 'word' ? token.text.toUpperCase() : ''
    if (word === 'OR' || (depth === 0 && token.kind === 'sign' && token.text === '?')) isJoined = true
    if (word === 'AND' && !isBetween) parts.push('')
    else parts.push((parts.pop() ?? '') + token.text)
    if (word === 'BETWEEN' || word === 'AND') isBetween = word === 'BETWEEN'
  }
  // A range without its end would take the next condition for it.
  return { parts, isJoined: isJoined || isBetween }
}

function nesting({ kind, text }: SqlToken): number {
  if (kind === 'sign') return '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0
  if (kind !== 'word') return 0
  return /^case$/i.test(text) ? 1 : /^end$/i.test(text) ? -1 : 0
}
