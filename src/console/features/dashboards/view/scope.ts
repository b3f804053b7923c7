/** Conditions for all tiles of a dashboard: its query, its filters, its saved filter values. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { luceneIn } from '#console/charting/conditions/conditions.ts'
import { sqlIn } from '#domain/query/sqlValues.ts'
import type { ScopeCondition } from '#console/charting/conditions/combinedCondition.ts'
import type { RequiredValue } from '#console/charting/tiles/tileQuery.ts'
import type { FilterVariable } from '#domain/query/filterVariables.ts'
import { choiceOf, chosenValues, filtersOf, fixedConditions, missingValue, savedFilterValues } from './filters.ts'
import type { ViewState } from './viewState.ts'

/** The filters that tiles can use as variables, with their values. */
export function variablesOf(dashboard: Dashboard, state: ViewState): FilterVariable[] {
  return filtersOf(dashboard).flatMap((filter) => {
    const { variable, expression } = filter
    const missing = missingValue(filter, state)
    const values = chosenValues(filter, state)
    return variable === null ? [] : [{ name: variable, expression, values, ...(missing && { missing }) }]
  })
}

/** The filters that need a value before tiles are queried. Those that use it as a variable know it from there. */
export function requiredValues(dashboard: Dashboard, state: ViewState): RequiredValue[] {
  return filtersOf(dashboard).flatMap((filter): RequiredValue[] => {
    const reason = missingValue(filter, state)
    if (reason === undefined) return []
    if (filter.required === 'allTiles') return [{ reason }]
    return filter.broadcasts ? [{ reason, sourceIds: filter.sourceIds }] : []
  })
}

export interface Query {
  text: string
  language: 'lucene' | 'sql'
}

/** The query over all tiles: the address's, or else the one that was saved. A language alone is an emptied query. */
export function queryOf(dashboard: Dashboard, state: Pick<ViewState, 'q' | 'ql'>): Query {
  if (state.q !== undefined || state.ql !== undefined) return { text: state.q ?? '', language: state.ql ?? 'lucene' }
  return { text: dashboard.savedQuery ?? '', language: dashboard.savedQueryLanguage === 'sql' ? 'sql' : 'lucene' }
}

/** Whether the query in the URL differs from the saved one. */
function hasOwnQuery(dashboard: Dashboard, state: ViewState): boolean {
  const [own, saved] = [queryOf(dashboard, state), queryOf(dashboard, {})]
  return own.text !== saved.text || (own.text !== '' && own.language !== saved.language)
}

/** All conditions, each in the languages that can express it. */
export function conditionsOf(dashboard: Dashboard, state: ViewState): ScopeCondition[] {
  const { text, language } = queryOf(dashboard, state)
  const query: ScopeCondition[] = text.trim() ? [{ [language]: text, label: 'the dashboard’s query' }] : []
  const fixed = fixedConditions(dashboard).map((sql): ScopeCondition => ({ sql, label: 'a saved filter value' }))
  const chosen = filtersOf(dashboard).flatMap((filter): ScopeCondition[] => {
    const values = chosenValues(filter, state)
    if (!filter.broadcasts || values.length === 0) return []
    const lucene = luceneIn(filter.expression, values)
    return [
      {
        sql: sqlIn(filter.expression, values),
        ...(lucene !== null && { lucene }),
        label: `the filter ${filter.name}`,
        ...(filter.sourceIds.length > 0 && { sourceIds: filter.sourceIds }),
        ...(filter.variable !== null && { variable: filter.variable }),
      },
    ]
  })
  return [...query, ...fixed, ...chosen]
}

/** The dashboard with the query and filter values of the URL applied. */
export function withDefaults(dashboard: Dashboard, state: ViewState): Dashboard {
  const { text, language } = queryOf(dashboard, state)
  const values = savedFilterValues(dashboard, state)
  return {
    ...dashboard,
    ...(hasOwnQuery(dashboard, state) && { savedQuery: text || null, savedQueryLanguage: text ? language : null }),
    ...(values !== undefined && (values.length > 0 || dashboard.savedFilterValues) && { savedFilterValues: values }),
  }
}

/** Whether the filters in the URL differ from the saved ones. */
export function hasOwnScope(dashboard: Dashboard, state: ViewState): boolean {
  const choices = filtersOf(dashboard).map((filter) => choiceOf(filter, chosenValues(filter, state)))
  return hasOwnQuery(dashboard, state) || choices.some((choice) => Object.values(choice).some(Boolean))
}
