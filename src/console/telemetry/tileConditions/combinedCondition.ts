/** The condition of a tile together with those of its dashboard: a chart query has one, in one language. */
/** A condition of the dashboard, in each language that can express it. */
export interface ScopeCondition {
  lucene?: string
  sql?: string
  /** What it is, for people: "the dashboard's query", "filter Service". */
  label: string
  /** Only tiles of these sources; absent is all. */
  sourceIds?: readonly string[]
}

/** A condition in the field:value language as SQL. */
export interface ConditionAsSql {
  /** Blank if no part can be translated. */
  sql: string
  /** The parts that AND joins and that SQL does not express here, as they are written. */
  leftOut: string[]
}

interface CombinedCondition {
  text: string
  language: 'lucene' | 'sql'
  /** What the condition does not contain, in sentences. */
  leftOut: string[]
}

/** Combines the conditions of tile and dashboard into one. Without a common language it is SQL, into which others are translated. */
export function combinedCondition(
  own: { text: string; language: string },
  conditions: readonly ScopeCondition[],
  toSql: (condition: string) => ConditionAsSql,
): CombinedCondition {
  const hasOwn = own.text.trim() !== ''
  const languages = hasOwn ? ([own.language === 'lucene' ? 'lucene' : 'sql'] as const) : (['lucene', 'sql'] as const)
  for (const language of languages) {
    const texts = conditions.map((condition) => condition[language])
    if (texts.some((text) => text === undefined)) continue
    return { language, text: allOf([hasOwn ? own.text : '', ...texts]), leftOut: [] }
  }
  const ownSql = own.language === 'lucene' && hasOwn ? toSql(own.text) : { sql: own.text, leftOut: [] }
  // What the tile itself counts is never left out.
  if (ownSql.leftOut.length > 0) return inLanguageOf(own.text, conditions)
  const others = conditions.map(({ sql, lucene = '', label }) =>
    sql === undefined ? { ...toSql(lucene), label } : { sql, leftOut: [], label },
  )
  return {
    language: 'sql',
    text: allOf([ownSql.sql, ...others.map(({ sql }) => sql)]),
    leftOut: others.flatMap(({ leftOut, label }) =>
      leftOut.map(
        (part) => `Not filtered by ${part} of ${label}: the condition of this tile is SQL, which cannot express it.`,
      ),
    ),
  }
}

/** The condition of a tile in the field:value language, with those of the dashboard that this language can express. */
function inLanguageOf(own: string, conditions: readonly ScopeCondition[]): CombinedCondition {
  const missing = conditions.filter(({ lucene }) => lucene === undefined)
  return {
    language: 'lucene',
    text: allOf([own, ...conditions.map(({ lucene }) => lucene)]),
    leftOut: missing.map(({ label }) => `Not filtered by ${label}: it is SQL, and the condition of this tile is not.`),
  }
}

function allOf(texts: readonly (string | undefined)[]): string {
  const all = texts.filter((text) => text !== undefined && text.trim() !== '')
  return all.length < 2 ? all.join('') : all.map((text) => `(${text})`).join(' AND ')
}
