/** A dashboard's own fields as a form, and back; what was not touched stays as it was read. */
import type { Dashboard } from '#contract/dashboards.ts'
import { type JsonObject, same } from '../model/json.ts'

export interface FilterForm {
  /** Not `id`, which the form library takes for itself. */
  filterId: string
  name: string
  expression: string
  sourceId: string
  broadcasts: boolean
  isVariable: boolean
  variableName: string
}

export interface SettingsForm {
  name: string
  tags: string[]
  savedQuery: string
  savedQueryLanguage: string
  filters: FilterForm[]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export function readSettings(dashboard: Dashboard): SettingsForm {
  return {
    name: dashboard.name,
    tags: dashboard.tags,
    savedQuery: dashboard.savedQuery ?? '',
    savedQueryLanguage: dashboard.savedQueryLanguage ?? 'lucene',
    filters: dashboard.filters.map(readFilter),
  }
}

function readFilter(filter: Dashboard['filters'][number]): FilterForm {
  return {
    filterId: filter.id ?? '',
    name: filter.name ?? '',
    expression: text(filter.expression),
    sourceId: text(filter.sourceId),
    broadcasts: filter.isBroadcastEnabled !== false,
    isVariable: filter.isVariableEnabled === true,
    variableName: text(filter.variableName),
  }
}

/** An update requires an id for every filter, so a new one gets its own: 24 hexadecimal digits, as deployments make them. */
export function newFilter(sourceId: string): FilterForm {
  const digits = crypto.randomUUID().replaceAll('-', '').slice(0, 24)
  return { filterId: digits, name: '', expression: '', sourceId, broadcasts: true, isVariable: false, variableName: '' }
}

export function writeSettings(dashboard: Dashboard, form: SettingsForm): Dashboard {
  const was = readSettings(dashboard)
  const query = form.savedQuery !== was.savedQuery || form.savedQueryLanguage !== was.savedQueryLanguage
  return {
    ...dashboard,
    ...(form.name !== was.name && { name: form.name }),
    ...(!same(form.tags, was.tags) && { tags: form.tags }),
    ...(query && {
      savedQuery: form.savedQuery || null,
      savedQueryLanguage: form.savedQuery ? form.savedQueryLanguage : null,
    }),
    ...(!same(form.filters, was.filters) && { filters: form.filters.map((filter) => writeFilter(dashboard, filter)) }),
  }
}

function writeFilter(dashboard: Dashboard, form: FilterForm): Dashboard['filters'][number] {
  const before = dashboard.filters.find(({ id }) => id === form.filterId)
  const was = before && readFilter(before)
  if (before && same(was, form)) return before
  const filter: JsonObject = {
    type: 'QUERY_EXPRESSION',
    ...before,
    name: form.name,
    expression: form.expression,
    sourceId: form.sourceId,
  }
  if (form.broadcasts !== (was?.broadcasts ?? true)) filter.isBroadcastEnabled = form.broadcasts
  // Tiles that it is limited to make sense only while it applies to tiles.
  if (!form.broadcasts) delete filter.appliesToSourceIds
  if (form.isVariable !== (was?.isVariable ?? false)) filter.isVariableEnabled = form.isVariable
  if (form.variableName !== (was?.variableName ?? '')) filter.variableName = form.variableName
  if (!form.isVariable || form.variableName === '') delete filter.variableName
  return { ...filter, id: form.filterId }
}
