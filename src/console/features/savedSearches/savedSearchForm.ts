/** Converts a saved search to the form and back to the request body. */
import { z } from 'zod'
import type { ApiFailure } from '#console/api/failure.ts'
import { writtenCondition } from '#console/charting/freeText.ts'
import type { RecordForm } from '#console/records/record/recordForm.ts'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { sameValue, setField } from '#console/ui/form/values.ts'
import { savedSearchInput, type SavedSearch } from '#contract/stack/savedSearches.ts'
import { readPinnedFilter } from '#domain/query/pinnedFilter.ts'

/** The values of the form. */
export type SavedSearchForm = {
  name: string
  sourceId: string
  whereLanguage: string
  where: string
  select: string
  orderBy: string
  tags: string[]
  /** Pinned filters in SQL, one on each line. */
  filters: string
}

export type SavedSearchField = keyof SavedSearchForm

/** The label of every field, in the order of the form. */
export const fieldTitles: Record<SavedSearchField, string> = {
  name: 'Name',
  sourceId: 'Source',
  whereLanguage: 'Language',
  where: 'Condition',
  select: 'Columns',
  orderBy: 'Order',
  tags: 'Tags',
  filters: 'Pinned filters',
}

// Object.keys forgets that these are the keys of the record above.
const savedSearchFields = Object.keys(fieldTitles) as SavedSearchField[]

export const emptyForm: SavedSearchForm = {
  name: '',
  sourceId: '',
  whereLanguage: 'lucene',
  where: '',
  select: '',
  orderBy: '',
  tags: [],
  filters: '',
}

export function readForm(search: Partial<SavedSearch>): SavedSearchForm {
  return {
    name: search.name ?? '',
    sourceId: search.sourceId ?? '',
    whereLanguage: search.whereLanguage ?? 'lucene',
    where: search.where ?? '',
    select: search.select ?? '',
    orderBy: search.orderBy ?? '',
    tags: search.tags ?? [],
    filters: (search.filters ?? []).flatMap((filter) => (isSql(filter) ? [filter.condition] : [])).join('\n'),
  }
}

type Filter = NonNullable<SavedSearch['filters']>[number]

function isSql(filter: Filter): filter is Filter & { condition: string } {
  return (filter.type ?? 'sql') === 'sql' && filter.condition !== undefined
}

/** Fields that a deployment sets by itself. */
const readOnlyFields = ['id', 'team', 'teamId', 'createdAt', 'updatedAt']

export function writable(search: SavedSearch): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([key]) => !readOnlyFields.includes(key)))
}

export function sameWritable(a: SavedSearch, b: SavedSearch): boolean {
  return sameValue(writable(a), writable(b))
}

const changedFields = (form: SavedSearchForm, base: SavedSearch | null): SavedSearchField[] => {
  const before = base ? readForm(base) : emptyForm
  return savedSearchFields.filter((field) => !sameValue(form[field], before[field]))
}

/** The body that sends the form. An edit starts from what was read. */
export function writeBody(form: SavedSearchForm, base: SavedSearch | null): Record<string, unknown> {
  const { filters: _, name, ...fields } = form
  const body: Record<string, unknown> = { ...(base && writable(base)), ...fields, name: name.trim() }
  const changed = base ? changedFields(form, base) : savedSearchFields
  if (changed.includes('where')) body.where = writtenCondition(form.where, form.whereLanguage)
  if (changed.includes('filters')) setField(body, 'filters', filtersOf(form, base))
  return body
}

/** Filters in another language than SQL cannot be written here, so they are kept. */
function filtersOf({ filters }: SavedSearchForm, base: SavedSearch | null): object[] {
  const kept = (base?.filters ?? []).filter((filter) => !isSql(filter))
  return [...linesOf(filters).map((condition) => ({ type: 'sql', condition })), ...kept]
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The rules of the contract, and which filters can be pinned. */
function formSchema(base: SavedSearch | null) {
  const stored = new Set(base ? linesOf(readForm(base).filters) : [])
  return z.custom<SavedSearchForm>().superRefine((form, context) => {
    for (const issue of savedSearchInput.safeParse(writeBody(form, base)).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [issue.path[0] ?? 'name'], message: formatIssue(issue) })
    }
    const bad = linesOf(form.filters).find((line) => !stored.has(line) && readPinnedFilter(line) === null)
    if (bad === undefined) return
    const message = `Cannot be pinned: ${bad}. Use one column with IN (…), NOT IN (…) or BETWEEN n AND n.`
    context.addIssue({ code: 'custom', path: ['filters'], message })
  })
}

/** Refusals that name no field. */
function refusals(failure: ApiFailure): { path: string; message: string }[] {
  if (failure.fields?.length) {
    return failure.fields.map(({ path, message }) => ({ path: path.split('.')[0] ?? path, message }))
  }
  if (failure.code !== 'invalid') return []
  const field = (['sourceId', 'filters'] as const).find((name) => failure.message.includes(name))
  return field ? [{ path: field, message: failure.message }] : []
}

export const savedSearchForm: RecordForm<SavedSearch, SavedSearchForm> = {
  titles: fieldTitles,
  read: readForm,
  schema: formSchema,
  body: writeBody,
  changed: changedFields,
  formatValue: (field, form) => (field === 'tags' ? form.tags.join(', ') : form[field]),
  refusals,
}
