/** The condition of a tile together with those of its dashboard: a chart query has one, in one language. */
import { allConditions, type Condition } from './allConditions.ts'
import type { Language } from './conditions.ts'

/** A condition of the dashboard, in each language that can express it. */
export interface ScopeCondition {
  lucene?: string
  sql?: string
  /** Its name for people: "the dashboard's query", "filter Service". */
  label: string
  /** Only tiles of these sources; absent is all. */
  sourceIds?: readonly string[]
  /** The variable by which tiles can obey it themselves; absent if it has none. */
  variable?: string
}

/** In place of sentences that quote conditions, for people who must not see these: the visitors of public links. */
export const visitorSentences = {
  leftOut: 'Some conditions of the dashboard do not apply to it.',
  waits: 'It waits for a value of a filter.',
  refused: 'This tile has no query that can be answered.',
} as const

/** A condition in the field:value language as SQL. */
export interface ConditionAsSql {
  /** Blank if no part can be translated. */
  sql: string
  /** The parts that AND joins and that SQL does not express here, as they are written. */
  leftOut: string[]
}

interface CombinedCondition extends Condition {
  /** The parts that the condition does not contain, in sentences. */
  leftOut: string[]
}

/**
 * Combines the conditions of tile and dashboard into one. Without a common language it is SQL, into which others are
 * translated. Returns the reason where one of them cannot be read, because it could change what the others mean.
 */
export function combinedCondition(
  own: { text: string; language: string },
  conditions: readonly ScopeCondition[],
  toSql: (condition: string) => ConditionAsSql,
): CombinedCondition | string {
  const hasOwn = own.text.trim() !== ''
  const languages = hasOwn ? ([own.language === 'lucene' ? 'lucene' : 'sql'] as const) : (['lucene', 'sql'] as const)
  for (const language of languages) {
    const texts = conditions.map((condition) => condition[language])
    if (texts.some((text) => text === undefined)) continue
    return joined(language, [hasOwn ? own.text : '', ...texts], [])
  }
  const ownSql = own.language === 'lucene' && hasOwn ? toSql(own.text) : { sql: own.text, leftOut: [] }
  // The rows that the tile itself counts are never left out.
  if (ownSql.leftOut.length > 0) return inLanguageOf(own.text, conditions)
  const others = conditions.map(({ sql, lucene = '', label }) =>
    sql === undefined ? { ...toSql(lucene), label } : { sql, leftOut: [], label },
  )
  const leftOut = others.flatMap(({ leftOut, label }) =>
    leftOut.map(
      (part) => `Not filtered by ${part} of ${label}: the condition of this tile is SQL, which cannot express it.`,
    ),
  )
  return joined('sql', [ownSql.sql, ...others.map(({ sql }) => sql)], leftOut)
}

/** The condition of a tile in the field:value language, with those of the dashboard that this language can express. */
function inLanguageOf(own: string, conditions: readonly ScopeCondition[]): CombinedCondition | string {
  const missing = conditions.filter(({ lucene }) => lucene === undefined)
  const texts = [own, ...conditions.map(({ lucene }) => lucene)]
  const leftOut = missing.map(
    ({ label }) => `Not filtered by ${label}: it is SQL, and the condition of this tile is not.`,
  )
  return joined('lucene', texts, leftOut)
}

function joined(
  language: Language,
  texts: readonly (string | undefined)[],
  leftOut: string[],
): CombinedCondition | string {
  const all = allConditions(texts.map((text = '') => ({ text, language })))
  if (!('problem' in all)) return { ...all, leftOut }
  if (all.problem === 'invalid') return `The condition cannot be read: ${all.condition.text}`
  return 'The conditions of this tile and its dashboard are in two languages. A query has only one.'
}
