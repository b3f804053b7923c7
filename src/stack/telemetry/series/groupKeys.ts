/** Groups by their texts, and the grouping in which only some of them stay. */
import type { Bindings } from '../bindings.ts'
import type { Value } from '../fieldExpressions.ts'

/** The values of a group as text, in the order of its expressions; null for NULL. */
export type GroupKey = readonly (string | null)[]

/** A value as text that is never NULL, and whether it is NULL: what a key has of it. */
export const keyTextSql = (sql: string): string => `ifNull(toString(${sql}), '')`
export const keyNullSql = (sql: string): string => `isNull(${sql})`

/** The groups in which all rows that belong to none of `kept` are one, with whether they do as the last. */
export function withOther(groups: readonly Value[], kept: readonly GroupKey[], bindings: Bindings): Value[] {
  const isKept = keptSql(groups, kept, bindings)
  // NULL is a group, and no value of some types.
  const own = groups.map(({ sql, type }): Value => ({
    sql: `if(${isKept}, ${sql}, defaultValueOfArgumentType(${sql}))`,
    type,
  }))
  return [...own, { sql: `NOT (${isKept})`, type: { kind: 'bool' } }]
}

function keptSql(groups: readonly Value[], kept: readonly GroupKey[], bindings: Bindings): string {
  const [only, ...others] = groups
  const texts = (at: number) =>
    bindings.bind(
      kept.map((key) => key[at] ?? ''),
      'Array(String)',
    )
  const nulls = (at: number) =>
    bindings.bind(
      kept.map((key) => (key[at] === null ? 1 : 0)),
      'Array(UInt8)',
    )
  if (only && others.length === 0) {
    const filled = kept.filter(([text]) => text !== null).map(([text]) => text ?? '')
    const isNull = bindings.bind(filled.length < kept.length ? 1 : 0, 'UInt8')
    // A set of texts is found without making a pair of each row.
    return `if(${keyNullSql(only.sql)}, ${isNull}, ${keyTextSql(only.sql)} IN ${bindings.bind(filled, 'Array(String)')})`
  }
  const own = groups.flatMap(({ sql }) => [keyTextSql(sql), keyNullSql(sql)])
  const listed = groups.flatMap((_, at) => [texts(at), nulls(at)])
  return `(${own.join(', ')}) IN (SELECT arrayJoin(arrayZip(${listed.join(', ')})))`
}
