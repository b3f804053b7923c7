/** The filters of a dashboard for a Raw SQL tile: what is sent with its statement, and what is not. */
import type { SqlFilters } from '#contract/stack/sql.ts'
import { usedFilters } from '#domain/alerting/sqlTemplate.ts'
import type { FilterVariable } from '#domain/query/filterVariables.ts'
import { isOneExpression } from '#domain/query/sqlParts.ts'
import { visitorSentences, type ConditionAsSql, type ScopeCondition } from '../conditions/combinedCondition.ts'
import type { TileConfig } from './tileConfig.ts'
import { appliesToTile, conditionNotes, elsewhereNotes, type TileScope } from './tileQuery.ts'

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

/** Finds the filters that are sent with the statement of a tile, and those that it does not respect; or why it is not run. */
export function sqlTileFilters(config: TileConfig, scope: TileScope): TileFilters | Refused {
  const refused = (reason: string, forVisitors: string) => ({ refused: scope.forVisitors ? forVisitors : reason })
  const missing = scope.required?.find((requiredValue) => appliesToTile(requiredValue, config))
  if (missing) return refused(missing.reason, visitorSentences.waits)
  const template = config.sqlTemplate ?? ''
  const own = scope.conditions.filter((condition) => appliesToTile(condition, config))
  const written = own.map((condition) => ({ ...condition, ...asSql(condition, config, scope) }))
  const broken = written.find(({ sql }) => sql !== '' && !isOneExpression(sql))
  const conditions = written.flatMap(({ sql }) => (sql === '' ? [] : [sql]))
  const { variables = [] } = scope
  const { takesConditions, filters } = usedFilters(template, { conditions, variables: variables.map(sent) })
  const waits = variables.find(({ name, missing: reason }) => reason !== undefined && uses(filters, name))
  if (waits?.missing !== undefined) return refused(waits.missing, visitorSentences.waits)
  // Filters that a variable of the statement obeys are respected, whichever sources they are for.
  const others = scope.conditions.filter(({ variable }) => variable === undefined || !uses(filters, variable))
  const elsewhere = elsewhereNotes(config, { conditions: others })
  if (!takesConditions) {
    const ignored = others
      .filter((condition) => appliesToTile(condition, config))
      .map(({ label }) => `Not filtered by ${label}: the SQL has no $__filters.`)
    return { filters, notes: conditionNotes([...ignored, ...elsewhere], scope) }
  }
  const whyNot = config.sourceId
    ? 'SQL cannot express it.'
    : 'it is not SQL, and the tile names no source to translate it with.'
  if (broken) return refused(`The condition cannot be read: ${broken.sql}`, visitorSentences.refused)
  const untranslated = written.flatMap(({ leftOut, label }) =>
    leftOut.map((part) => `Not filtered by ${part} of ${label}: ${whyNot}`),
  )
  return { filters, notes: conditionNotes([...untranslated, ...elsewhere], scope) }
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
