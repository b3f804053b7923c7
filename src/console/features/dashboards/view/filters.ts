/** The filters of a dashboard and their selected values: docs/DEPLOYMENTS.md#filters-of-dashboards. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { filterVariable } from '#contract/stack/dashboards/filterVariables.ts'
import { readSqlIn } from '#console/charting/conditions/conditions.ts'
import { sqlIn } from '#domain/query/sqlValues.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { sameJson } from '#domain/json/json.ts'
import { filterPatch, filterValues, type ViewState } from './viewState.ts'

export interface DashboardFilter {
  id: string
  name: string
  /** The expression that its values are compared with. Empty for a static list. */
  expression: string
  /** The values of a static list, which is only a variable; null if they are read from the source. */
  options: readonly string[] | null
  /** Where its values are read from. */
  sourceId: string
  metricType: string
  /** Rows whose values are offered; '' is all. */
  where: string
  whereLanguage: string
  /** Only tiles of these sources; none is all. */
  sourceIds: string[]
  /** Whether chosen values become conditions on tiles. */
  broadcasts: boolean
  /** The variable name for tiles; null if they cannot use it. */
  variable: string | null
  /** Only one of its values can be chosen. */
  single: boolean
  /** The tiles that are not queried until one of its values is chosen: those that it narrows, or all. */
  required: 'itsTiles' | 'allTiles' | null
  /** The values that hold until others are chosen. */
  defaults: readonly string[]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The filters that this console can offer: those with an id that have an expression or are a static list. */
export function filtersOf(dashboard: Dashboard): DashboardFilter[] {
  const saved = savedConditions(dashboard).flatMap((condition) => readSqlIn(condition) ?? [])
  return dashboard.filters.flatMap((filter) => {
    const { id, name = '', appliesToSourceIds: only, isVariableEnabled, variableName } = filter
    const options = filter.type === 'STATIC_LIST' ? textsOf(filter.options) : null
    const expression = options ? '' : text(filter.expression)
    if (!id || (options ?? expression).length === 0) return []
    const named = { type: text(filter.type), name, isVariableEnabled: isVariableEnabled === true }
    const variable = filterVariable(typeof variableName === 'string' ? { ...named, variableName } : named)
    return [
      {
        id,
        name: name || expression,
        expression,
        options,
        sourceId: text(filter.sourceId),
        metricType: text(filter.sourceMetricType),
        where: text(filter.where),
        whereLanguage: text(filter.whereLanguage) || 'lucene',
        sourceIds: textsOf(only),
        broadcasts: options === null && filter.isBroadcastEnabled !== false,
        variable,
        single: filter.maxSelections === 1,
        required: filter.minSelections !== 1 ? null : filter.isGlobalRequirement === true ? 'allTiles' : 'itsTiles',
        defaults: options
          ? textsOf(savedVariable(dashboard, variable)?.values)
          : (saved.find((candidate) => candidate.expression === expression.trim())?.values ?? []),
      },
    ]
  })
}

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((value) => typeof value === 'string') : []

/** The default values of a static list are saved under the name of its variable. */
const savedVariable = ({ savedFilterValues = [] }: Dashboard, variable: string | null) =>
  savedFilterValues.find(({ type, name }) => type === 'variable' && name === variable)

/** The texts of the saved filter values. */
function savedConditions(dashboard: Dashboard): string[] {
  return (dashboard.savedFilterValues ?? [])
    .map(({ condition }) => text(condition))
    .filter((written) => written.trim() !== '')
}

/** Saved conditions that are not the default of a filter: they always apply to every tile. */
export function fixedConditions(dashboard: Dashboard): string[] {
  const expressions = new Set(filtersOf(dashboard).map(({ expression }) => expression.trim()))
  return savedConditions(dashboard).filter((condition) => {
    const read = readSqlIn(condition)
    return !read || !expressions.has(read.expression)
  })
}

/** The values of a filter: the address's, or else its defaults. */
export function chosenValues(filter: DashboardFilter, state: ViewState): readonly string[] {
  return filterValues(state, filter.id) ?? filter.defaults
}

/** Why tiles wait for a filter, as a sentence; undefined if it has a value or needs none. */
export function missingValue(filter: DashboardFilter, state: ViewState): string | undefined {
  const isMissing = filter.required !== null && chosenValues(filter, state).length === 0
  return isMissing ? `Choose a value of the filter ${filter.name}.` : undefined
}

/** The URL parameter of a selection: nothing for the default. */
export function choiceOf(filter: DashboardFilter, values: readonly string[]): Record<string, string | undefined> {
  return filterPatch(filter.id, sameJson(values, filter.defaults) ? undefined : values)
}

/** Parameters of filters that the dashboard does not have. */
export function unknownChoices(dashboard: Dashboard, state: ViewState): string[] {
  const known = new Set(filtersOf(dashboard).map(({ id }) => `f.${id}`))
  return Object.keys(state).filter((key) => key.startsWith('f.') && state[key] !== undefined && !known.has(key))
}

/** A filter's values as saved filter values spell them; those of no filter stay as they were read. */
export function savedFilterValues(dashboard: Dashboard, state: ViewState): Dashboard['savedFilterValues'] {
  const filters = filtersOf(dashboard)
  const lists = filters.flatMap(({ options, variable }) => (options ? savedVariable(dashboard, variable) : undefined))
  const fixed = new Set(fixedConditions(dashboard))
  const remaining = (dashboard.savedFilterValues ?? []).filter((value) =>
    typeof value.condition === 'string' ? fixed.has(value.condition) : !lists.includes(value),
  )
  const chosen = new Map(
    filters
      .map((filter) => ({ filter, values: chosenValues(filter, state) }))
      .filter(({ values }) => values.length > 0)
      .map(({ filter: { options, variable, expression }, values }) => [
        options ? `$${variable}` : expression.trim(),
        options
          ? { type: 'variable', name: variable, values }
          : { type: 'sql', condition: sqlIn(expression.trim(), values) },
      ]),
  )
  return [...remaining, ...chosen.values()]
}

/** A tile that counts by the filter's expression: its groups are the values, most frequent first. */
export function valuesConfig(filter: DashboardFilter, dashboard: Dashboard): TileConfig {
  return {
    displayType: 'bar',
    sourceId: filter.sourceId,
    select: [
      { aggFn: 'count', where: filter.where, whereLanguage: filter.whereLanguage, ...metricOf(filter, dashboard) },
    ],
    groupBy: filter.expression,
    limit: 200,
  }
}

/** A source of metrics answers for one metric at a time: one that a tile of the dashboard shows. */
function metricOf({ sourceId, metricType }: DashboardFilter, { tiles }: Dashboard) {
  const items = tiles.flatMap(({ config }) =>
    config?.sourceId === sourceId && Array.isArray(config.select) ? config.select : [],
  )
  const found = items.find((item) => item.metricName && (metricType === '' || item.metricType === metricType))
  return found && { metricName: found.metricName, metricType: found.metricType }
}
