/** The filters of a dashboard for a Raw SQL tile: what is sent with its statement, and what is not. */
import type { SqlFilters } from '#contract/stack/sql.ts'
import { usedFilters } from '#domain/alerting/sqlTemplate.ts'
import type { FilterVariable } from '#domain/query/filterVariables.ts'
import { isOneExpression } from '#domain/query/sqlParts.ts'
import type { ConditionAsSql, ScopeCondition } from '../conditions/combinedCondition.ts'
import type { TileConfig } from './tileConfig.ts'
import { concerns, type TileScope } from './tileQuery.ts'

interface TileFilters {
  /** Undefined if the statement has room for none. */
  filters: SqlFilters | undefined
  /** The parts that the result does not respect, in sentences. */
  notes: string[]
}

/** Waits for a value, or has a condition that could change what the others mean: the reason, as a sentence. */
interface Refused {
  refused: string
}

export function sqlTileFilters(config: TileConfig, scope: TileScope): TileFilters | Refused {
  const missing = scope.required?.find((one) => concerns(one, config))
  if (missing) return { refused: missing.reason }
  const template = config.sqlTemplate ?? ''
  const own = scope.conditions.filter((condition) => concerns(condition, config))
  const written = own.map((condition) => ({ ...condition, ...asSql(condition, config, scope) }))
  const broken = written.find(({ sql }) => sql !== '' && !isOneExpression(sql))
  const conditions = written.flatMap(({ sql }) => (sql === '' ? [] : [sql]))
  const { variables = [] } = scope
  const filters = usedFilters(template, { conditions, variables: variables.map(sent) })
  const waits = variables.find(({ name, missing: reason }) => reason !== undefined && uses(filters, name))
  if (waits?.missing !== undefined) return { refused: waits.missing }
  // `usedFilters` answers for any conditions, also without one.
  const takesConditions = usedFilters(template, { conditions: ['1'], variables: [] })?.conditions.length === 1
  if (!takesConditions) {
    const isUnfiltered = scope.conditions.length > 0
    return { filters, notes: isUnfiltered ? ['Without the filters of the dashboard: the SQL has no $__filters.'] : [] }
  }
  const whyNot = config.sourceId
    ? 'SQL cannot express it.'
    : 'it is not SQL, and the tile names no source to translate it with.'
  if (broken) return { refused: `The condition cannot be read: ${broken.sql}` }
  return {
    filters,
    notes: [
      ...written.flatMap(({ leftOut, label }) =>
        leftOut.map((part) => `Not filtered by ${part} of ${label}: ${whyNot}`),
      ),
      ...scope.conditions
        .filter((condition) => !concerns(condition, config))
        .map(({ label }) => `Not filtered by ${label}: it applies to other sources.`),
    ],
  }
}

function asSql({ sql, lucene = '' }: ScopeCondition, { sourceId = '' }: TileConfig, scope: TileScope): ConditionAsSql {
  if (sql !== undefined) return { sql: sql.trim(), leftOut: [] }
  const known = sourceId === '' ? null : scope.sourceId(sourceId)
  return (known !== null && scope.toSql?.(lucene, known)) || { sql: '', leftOut: [lucene] }
}

const sent = ({ name, expression, values }: FilterVariable) => ({
  name,
  expression,
  values: [...values],
})

const uses = (filters: SqlFilters | undefined, name: string): boolean =>
  filters?.variables.some((variable) => variable.name === name) ?? false
