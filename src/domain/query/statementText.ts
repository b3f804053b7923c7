/** Reads a statement as people write it: with comments, a semicolon at its end, and perhaps EXPLAIN before it. */
import type { ExplainKind } from '#contract/stack/sql.ts'
import { sqlTokens } from './sqlTokens.ts'

interface StatementText {
  /** The SELECT. Everything else is spaces, so that places in it are those in what was written. */
  select: string
  /** From EXPLAIN before it. */
  explain?: ExplainKind
}

export function readStatement(written: string): StatementText {
  const text = withoutComments(written).replace(/;\s*$/, (end) => ' '.repeat(end.length))
  const [prefix, kind, indexes] = explainPrefix.exec(text) ?? []
  if (prefix === undefined) return { select: text }
  const explain = kind?.toUpperCase() === 'ESTIMATE' ? 'estimate' : indexes === '1' ? 'indexes' : 'plan'
  return { select: ' '.repeat(prefix.length) + text.slice(prefix.length), explain }
}

const explainPrefix = /^\s*EXPLAIN(?:\s+(PLAN|ESTIMATE))?(?:\s+indexes\s*=\s*([01]))?(?=\s*\(|\s+(?:SELECT|WITH)\b)/i

function withoutComments(text: string): string {
  return sqlTokens(text)
    .map((token) => (token.kind === 'comment' ? token.text.replaceAll(/[^\n]/g, ' ') : token.text))
    .join('')
}
