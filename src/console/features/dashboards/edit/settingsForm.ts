/** Converts the settings of a dashboard to a form and back; unchanged settings stay as they were read. */
import { z } from 'zod'
import { writtenCondition } from '#console/charting/freeText.ts'
import { filterVariable } from '#contract/stack/dashboards/filterVariables.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { type JsonObject, sameJson } from '#domain/json/json.ts'

/** Where the values of a filter come from: a source, or a list that the dashboard has. */
export type FilterKind = 'QUERY_EXPRESSION' | 'STATIC_LIST'

interface FilterForm {
  /** Not `id`, which the form library reserves. */
  filterId: string
  name: string
  kind: FilterKind
  /** The values of a static list, one a line. */
  options: string
  expression: string
  sourceId: string
  /** Kind of metric whose values are offered; '' if the source has no metrics. */
  metricType: string
  /** Rows whose values are offered. */
  where: string
  whereLanguage: string
  broadcasts: boolean
  /** Only tiles of these sources; none is all. */
  sourceIds: string[]
  isVariable: boolean
  variableName: string
  /** Only one of its values can be chosen. */
  single: boolean
  /** Tiles are queried once one of its values is chosen. */
  required: boolean
}

export interface SettingsForm {
  name: string
  tags: string[]
  savedQuery: string
  savedQueryLanguage: string
  filters: FilterForm[]
  /** The conditions of the saved filter values. */
  saved: { condition: string }[]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export function readSettings(dashboard: Dashboard): SettingsForm {
  return {
    name: dashboard.name,
    tags: dashboard.tags,
    savedQuery: dashboard.savedQuery ?? '',
    savedQueryLanguage: dashboard.savedQueryLanguage ?? 'lucene',
    filters: dashboard.filters.filter(isEditable).map(readFilter),
    saved: (dashboard.savedFilterValues ?? []).flatMap(({ condition }) =>
      typeof condition === 'string' ? { condition } : [],
    ),
  }
}

/** Filters of other types, and lists whose values take several lines, are kept as they are. */
const isEditable = ({ type, options }: Dashboard['filters'][number]): boolean =>
  type === 'STATIC_LIST'
    ? Array.isArray(options) && sameJson(options, linesOf(options.join('\n')))
    : type === undefined || type === 'QUERY_EXPRESSION'

const linesOf = (lines: string): string[] => [...new Set(lines.split('\n').map((line) => line.trim()))].filter(Boolean)

function readFilter(filter: Dashboard['filters'][number]): FilterForm {
  const { appliesToSourceIds: only } = filter
  return {
    filterId: filter.id ?? '',
    name: filter.name ?? '',
    kind: filter.type === 'STATIC_LIST' ? 'STATIC_LIST' : 'QUERY_EXPRESSION',
    options: Array.isArray(filter.options) ? filter.options.join('\n') : '',
    expression: text(filter.expression),
    sourceId: text(filter.sourceId),
    metricType: text(filter.sourceMetricType),
    where: text(filter.where),
    whereLanguage: text(filter.whereLanguage) || 'lucene',
    broadcasts: filter.isBroadcastEnabled !== false,
    sourceIds: Array.isArray(only) ? only.filter((id) => typeof id === 'string') : [],
    isVariable: filter.isVariableEnabled === true,
    variableName: text(filter.variableName),
    single: filter.maxSelections === 1,
    required: filter.minSelections === 1,
  }
}

/** An update requires an id for every filter, so a new one gets its own: 24 hexadecimal digits, as deployments make them. */
export function newFilter(kind: FilterKind, sourceId: string): FilterForm {
  const digits = crypto.randomUUID().replaceAll('-', '').slice(0, 24)
  return readFilter({ id: digits, type: kind, sourceId })
}

export function writeSettings(dashboard: Dashboard, form: SettingsForm): Dashboard {
  const initial = readSettings(dashboard)
  const query = form.savedQuery !== initial.savedQuery || form.savedQueryLanguage !== initial.savedQueryLanguage
  return {
    ...dashboard,
    ...(form.name !== initial.name && { name: form.name }),
    ...(!sameJson(form.tags, initial.tags) && { tags: form.tags }),
    ...(query && {
      savedQuery: form.savedQuery || null,
      savedQueryLanguage: form.savedQuery ? form.savedQueryLanguage : null,
    }),
    ...(!sameJson(form.filters, initial.filters) && {
      filters: [
        ...form.filters.map((filter) => writeFilter(dashboard, filter)),
        ...dashboard.filters.filter((filter) => !isEditable(filter)),
      ],
    }),
    ...(!sameJson(form.saved, initial.saved) && { savedFilterValues: remainingValues(dashboard, form) }),
  }
}

/** The saved filter values that are still in the form, unchanged. */
function remainingValues({ savedFilterValues = [] }: Dashboard, { saved }: SettingsForm) {
  const conditions = new Set(saved.map(({ condition }) => condition))
  return savedFilterValues.filter(({ condition }) => typeof condition !== 'string' || conditions.has(condition))
}

/** Limits of deployments: docs/DEPLOYMENTS.md#dashboards. */
const longestTag = 32
const maxTags = 50

export const settingsSchema = z.custom<SettingsForm>().superRefine(({ tags, filters }, context) => {
  const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: path.split('.'), message })
  if (tags.length > maxTags) issue('tags', `At most ${maxTags} tags`)
  else if (tags.some((tag) => tag.length > longestTag)) issue('tags', `A tag has at most ${longestTag} characters`)
  for (const { field, why } of filterProblems(filters)) issue(field, why)
})

/** Deployments accept at most this many values in a static list. */
const maxOptions = 1000

interface FilterProblem {
  field: `filters.${number}.${'name' | 'expression' | 'sourceId' | 'broadcasts' | 'variableName' | 'options'}`
  why: string
}

/** Errors of filters by field: the rules of docs/DEPLOYMENTS.md#filters-of-dashboards. */
export function filterProblems(filters: readonly FilterForm[]): FilterProblem[] {
  const variables = filters.map(({ name, kind, isVariable, variableName }) =>
    filterVariable({ type: kind, name, isVariableEnabled: isVariable, ...(variableName !== '' && { variableName }) }),
  )
  return filters.flatMap((filter, index): FilterProblem[] => {
    const empty = emptyFields(filter).map(({ field, why }) => ({ field: `filters.${index}.${field}` as const, why }))
    if (empty.length > 0) return empty
    const { kind, options, broadcasts, isVariable, variableName } = filter
    const variable = variables[index]
    const isList = kind === 'STATIC_LIST'
    const count = linesOf(options).length
    if (isList && count > maxOptions) {
      return [{ field: `filters.${index}.options`, why: `At most ${maxOptions} values, one per line` }]
    }
    if (!isList && !broadcasts && !isVariable) {
      return [{ field: `filters.${index}.broadcasts`, why: 'Apply the filter to tiles, use it as a variable, or both' }]
    }
    const field = `filters.${index}.variableName` as const
    if ((isList || isVariable) && variableName !== '' && !/^[a-zA-Z]\w{0,63}$/.test(variableName)) {
      return [{ field, why: 'Must start with a letter and contain only letters, digits and _, at most 64 characters' }]
    }
    const taken = variable != null && variables.indexOf(variable) !== index
    return taken ? [{ field, why: `Another filter already uses $${variable}` }] : []
  })
}

/** The errors of required fields that are empty. */
function emptyFields({ kind, name, options, expression, sourceId }: FilterForm) {
  const isList = kind === 'STATIC_LIST'
  return [
    ...(name.trim() === '' ? [{ field: 'name' as const, why: 'Enter a name' }] : []),
    ...(isList && linesOf(options).length === 0
      ? [{ field: 'options' as const, why: 'Enter at least one value' }]
      : []),
    ...(!isList && expression.trim() === '' ? [{ field: 'expression' as const, why: 'Enter an expression' }] : []),
    ...(!isList && sourceId === '' ? [{ field: 'sourceId' as const, why: 'Choose a source' }] : []),
  ]
}

/** Fields that are omitted while they are empty, with the meaning of their absence. */
const optional = [
  ['metricType', 'sourceMetricType', ''],
  ['where', 'where', ''],
  ['whereLanguage', 'whereLanguage', 'lucene'],
] as const

function writeFilter(dashboard: Dashboard, form: FilterForm): Dashboard['filters'][number] {
  const before = dashboard.filters.find(({ id }) => id === form.filterId)
  const initial = before && readFilter(before)
  if (before && sameJson(initial, form)) return before
  const filter: JsonObject = { type: form.kind, ...before, name: form.name }
  if (form.single !== (initial?.single ?? false)) {
    if (form.single) filter.maxSelections = 1
    else delete filter.maxSelections
  }
  if (form.required !== (initial?.required ?? false)) {
    if (form.required) filter.minSelections = 1
    else for (const key of ['minSelections', 'isGlobalRequirement']) delete filter[key]
  }
  // A static list is always a variable and never a condition: it has no other fields.
  const isList = form.kind === 'STATIC_LIST'
  if (form.variableName !== (initial?.variableName ?? '')) filter.variableName = form.variableName
  if (!(isList || form.isVariable) || form.variableName === '') delete filter.variableName
  if (isList) {
    if (form.options !== initial?.options) filter.options = linesOf(form.options)
    return { ...filter, id: form.filterId }
  }
  Object.assign(filter, { expression: form.expression, sourceId: form.sourceId })
  for (const [key, field, absent] of optional) {
    if (form[key] === (initial?.[key] ?? absent)) continue
    if (form[key] === '') delete filter[field]
    else filter[field] = key === 'where' ? writtenCondition(form.where, form.whereLanguage) : form[key]
  }
  if (!sameJson(form.sourceIds, initial?.sourceIds ?? [])) filter.appliesToSourceIds = form.sourceIds
  if (form.broadcasts !== (initial?.broadcasts ?? true)) filter.isBroadcastEnabled = form.broadcasts
  // Tiles that it is limited to make sense only while it applies to tiles.
  if (!form.broadcasts) delete filter.appliesToSourceIds
  if (form.isVariable !== (initial?.isVariable ?? false)) filter.isVariableEnabled = form.isVariable
  return { ...filter, id: form.filterId }
}
