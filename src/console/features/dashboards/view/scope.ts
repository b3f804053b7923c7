/** The conditions that a dashboard puts on its tiles: its query, its filters, its saved filter values. */
import { filterVariable } from '#contract/dashboardRules.ts'
import type { Dashboard } from '#contract/dashboards.ts'
import type { ScopeCondition } from '#console/api/tileQuery.ts'
import { filterValues, type ViewState } from './viewState.ts'

export interface DashboardFilter {
  id: string
  name: string
  expression: string
  sourceId: string
  /** Only tiles of these sources; none is all. */
  sourceIds: string[]
  /** Whether chosen values become conditions on tiles. */
  broadcasts: boolean
}

/** The filters that this console can offer: those with an id, a name and an expression. */
export function filtersOf(dashboard: Dashboard): DashboardFilter[] {
  return dashboard.filters.flatMap((filter) => {
    const { id, expression, sourceId } = filter
    if (!id || typeof expression !== 'string' || expression === '') return []
    const { appliesToSourceIds: only } = filter
    return [
      {
        id,
        name: filter.name || expression,
        expression,
        sourceId: typeof sourceId === 'string' ? sourceId : '',
        sourceIds: Array.isArray(only) ? only.filter((one) => typeof one === 'string') : [],
        broadcasts: filter.isBroadcastEnabled !== false,
      },
    ]
  })
}

/** Names under which tiles may use filters (`$name`). Their values are not filled in: such tiles say so. */
export function variablesOf(dashboard: Dashboard): string[] {
  return dashboard.filters.flatMap(({ name = '', isVariableEnabled, variableName }) => {
    if (isVariableEnabled !== true) return []
    const variable = filterVariable({
      name,
      isVariableEnabled,
      ...(typeof variableName === 'string' && { variableName }),
    })
    return variable === null ? [] : [variable]
  })
}

/** The query over all tiles: the address's, or else the one that was saved. */
export function queryOf(dashboard: Dashboard, state: ViewState): { text: string; language: 'lucene' | 'sql' } {
  if (state.q !== undefined) return { text: state.q, language: state.ql ?? 'lucene' }
  return { text: dashboard.savedQuery ?? '', language: dashboard.savedQueryLanguage === 'sql' ? 'sql' : 'lucene' }
}

/** All conditions, each in the languages that can say it. */
export function conditionsOf(dashboard: Dashboard, state: ViewState): ScopeCondition[] {
  const { text, language } = queryOf(dashboard, state)
  const query: ScopeCondition[] = text.trim() ? [{ [language]: text, label: 'the dashboard’s query' }] : []
  const chosen = filtersOf(dashboard).flatMap((filter): ScopeCondition[] => {
    const values = filterValues(state, filter.id) ?? []
    if (!filter.broadcasts || values.length === 0) return []
    const lucene = luceneIn(filter.expression, values)
    return [
      {
        sql: sqlIn(filter.expression, values),
        ...(lucene !== null && { lucene }),
        label: `the filter ${filter.name}`,
        ...(filter.sourceIds.length > 0 && { sourceIds: filter.sourceIds }),
      },
    ]
  })
  return [...query, ...savedConditions(dashboard), ...chosen]
}

function savedConditions(dashboard: Dashboard): ScopeCondition[] {
  return (dashboard.savedFilterValues ?? []).flatMap(({ condition }) =>
    typeof condition === 'string' && condition.trim() ? [{ sql: condition, label: 'a saved filter value' }] : [],
  )
}

/** `expression IN ('a', 'b')`, values quoted as ClickHouse reads them. */
export function sqlIn(expression: string, values: readonly string[]): string {
  return `${expression} IN (${values.map((value) => `'${value.replace(/[\\']/g, '\\$&')}'`).join(', ')})`
}

/** The same in the field:value language; null where the expression is more than a field. */
export function luceneIn(expression: string, values: readonly string[]): string | null {
  const field = luceneField(expression)
  if (field === null) return null
  const terms = values.map((value) => `${field}:"${value.replace(/[\\"]/g, '\\$&')}"`)
  return terms.length === 1 ? terms[0]! : `(${terms.join(' OR ')})`
}

/** A column, or a map's key: `Attributes['a.b']` is the field `Attributes.a.b`. */
function luceneField(expression: string): string | null {
  const text = expression.trim()
  if (/^[A-Za-z_][\w.]*$/.test(text)) return text
  const match = /^([A-Za-z_]\w*)\['([\w.-]+)'\]$/.exec(text)
  return match ? `${match[1]}.${match[2]}` : null
}
