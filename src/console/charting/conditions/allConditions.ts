/** Several conditions as one, joined as what they mean: each is read as a whole, so that none can change another. */
import { withRequirement } from '#domain/query/conditions.ts'
import type { FilterNode } from '#domain/query/filterSyntax.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { luceneIn, readSqlIn, type Language } from './conditions.ts'
import { readCondition } from './readCondition.ts'
import { joinedSql, isBalancedCondition } from '#domain/query/sqlParts.ts'

export interface Condition {
  text: string
  language: Language
}

/** Why conditions cannot be one: no language has all of them, or one cannot be read. */
export type NotJoined = { problem: 'languages' } | { problem: 'invalid'; condition: Condition }

/** The condition that holds where all of them hold, in a language that can express them. Blank ones are left out. */
export function allConditions(conditions: readonly Condition[]): Condition | NotJoined {
  const written = conditions.filter(({ text }) => text.trim() !== '')
  const [first, ...others] = written
  if (!first) return { text: '', language: conditions[0]?.language ?? 'lucene' }
  if (others.length === 0) return first
  const invalid = written.find((condition) => !isReadable(condition))
  if (invalid) return { problem: 'invalid', condition: invalid }
  if (written.every(({ language }) => language === 'sql')) {
    return { text: joinedSql(written.map(({ text }) => text)), language: 'sql' }
  }
  let all: FilterNode | null = null
  for (const { text, language } of written) {
    const node = readCondition((language === 'lucene' ? text : listInLucene(text)) ?? '')
    if (!node) return { problem: 'languages' }
    all = withRequirement(all, node)
  }
  return { text: all ? printFilter(all) : '', language: 'lucene' }
}

const isReadable = ({ text, language }: Condition): boolean =>
  language === 'sql' ? isBalancedCondition(text) : readCondition(text) !== undefined

function listInLucene(sql: string): string | null {
  const list = readSqlIn(sql)
  return list && luceneIn(list.expression, list.values)
}
