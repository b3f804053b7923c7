/** Converts a source to the form and back to the request body. */
import { z } from 'zod'
import type { ApiFailure } from '#console/api/failure.ts'
import type { RecordForm } from '#console/records/record/recordForm.ts'
import { sameValue, setField } from '#console/ui/form/values.ts'
import { capitalized } from '#domain/text/words.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import type { Source } from '#contract/stack/sources.ts'
import {
  correlatedNames,
  expressionNames,
  fieldInfo,
  hasField,
  isKnown,
  metricTableFields,
  metricTableNames,
  needsField,
  usualNames,
  type CorrelatedName,
  type ExpressionName,
  type MetricTableName,
} from './fields.ts'

/** The values of the form: flat, each field under its own name; everything else is in `rest`, as JSON. */
export type SourceForm = {
  name: string
  kind: string
  connection: string
  databaseName: string
  tableName: string
  section: string
  disabled: boolean
  durationPrecision: number | null
  rest: string
} & Record<ExpressionName | CorrelatedName | MetricTableName, string>

export type SourceField = keyof SourceForm

const own = {
  name: 'Name',
  kind: 'Kind',
  connection: 'Data connection',
  databaseName: 'Database',
  tableName: 'Table',
  section: 'Section',
  disabled: 'Disabled',
  durationPrecision: 'Duration precision',
  rest: 'Additional fields',
}

const namesOf = [...expressionNames, ...correlatedNames] as const

/** The label of every field, in the order of the form. */
export const fieldTitles: Record<SourceField, string> = {
  ...own,
  // Object.fromEntries forgets its keys; they are those of the lists.
  ...(Object.fromEntries(namesOf.map((name) => [name, fieldInfo(name).title])) as Record<
    ExpressionName | CorrelatedName,
    string
  >),
  ...(Object.fromEntries(
    metricTableNames.map((name) => [name, `${capitalized(metricTableFields[name])} table`]),
  ) as Record<MetricTableName, string>),
}
// Object.keys forgets that these are the keys of the record above.
export const sourceFields = Object.keys(fieldTitles) as SourceField[]

/** Keys of a source with form fields. */
const named: readonly string[] = [
  'name',
  'kind',
  'connection',
  'from',
  'section',
  'disabled',
  'durationPrecision',
  'metricTables',
  ...namesOf,
]
/** Fields that a deployment sets by itself. */
const readOnlyFields = ['id', 'team', 'teamId', 'createdAt', 'updatedAt', 'missingTables', 'chartOptions']

const entriesOf = (source: object) => Object.entries(source)
const text = (value: unknown) => (typeof value === 'string' ? value : '')

function restOf(source: object): Record<string, unknown> {
  return Object.fromEntries(
    entriesOf(source).filter(([key, value]) => !isOwn(key, value) && !readOnlyFields.includes(key)),
  )
}

/** A value of a type that the form cannot show stays among the additional fields. */
function isOwn(key: string, value: unknown): boolean {
  return named.includes(key) && (!namesOf.some((name) => name === key) || value === null || typeof value === 'string')
}

export function writable(source: Source): Record<string, unknown> {
  return Object.fromEntries(entriesOf(source).filter(([key]) => !readOnlyFields.includes(key)))
}

export function sameWritable(a: Source, b: Source): boolean {
  return sameValue(writable(a), writable(b))
}

const noRest = '{}'

export function readForm(source: Partial<Source>): SourceForm {
  const rest = restOf(source)
  const tables = new Map(entriesOf(source.metricTables ?? {}))
  return {
    name: source.name ?? '',
    kind: source.kind ?? 'log',
    connection: source.connection ?? '',
    databaseName: source.from?.databaseName ?? '',
    tableName: source.from?.tableName ?? '',
    section: source.section ?? '',
    disabled: source.disabled ?? false,
    durationPrecision: source.durationPrecision ?? null,
    rest: Object.keys(rest).length > 0 ? stringifyJson(rest, 2) : noRest,
    ...recordOf(namesOf, (name) => text(source[name])),
    ...recordOf(metricTableNames, (name) => text(tables.get(metricTableFields[name]))),
  }
}

/** A record of the same function for each name. */
function recordOf<K extends string>(names: readonly K[], value: (name: K) => string): Record<K, string> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, string> // it has exactly these keys
}

export const emptyForm = (connection: string): SourceForm => ({
  ...readForm({}),
  connection,
  databaseName: 'default',
})

/** Fills empty fields with OpenTelemetry column names. */
export function withUsualNames(form: SourceForm): SourceForm {
  const special = usualNames[form.kind] ?? {}
  const usual = {
    ...Object.fromEntries(
      expressionNames.flatMap((name) => {
        const { usual: value } = fieldInfo(name)
        return value && hasField(form.kind, name) ? [[name, value]] : []
      }),
    ),
    ...special,
  }
  const empty = Object.entries(usual).filter(([name]) => new Map(Object.entries(form)).get(name) === '')
  return { ...form, ...Object.fromEntries(empty) }
}

/** The fields that differ from what was read; of a new source, from an empty form. */
export function changedFields(form: SourceForm, base: Source | null): SourceField[] {
  const before = base ? readForm(base) : emptyForm(form.connection)
  return sourceFields.filter((field) =>
    field === 'rest' ? !sameJson(form.rest, before.rest) : !sameValue(form[field], before[field]),
  )
}

function sameJson(a: string, b: string): boolean {
  if (a === b) return true
  const [left, right] = [readRest(a), readRest(b)]
  return left !== null && right !== null && sameValue(left, right)
}

/** The additional fields; null if the text is not a JSON object. */
function readRest(json: string): Record<string, unknown> | null {
  try {
    const value = parseJson(json.trim() || noRest)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return Object.fromEntries(Object.entries(value))
  } catch {
    return null
  }
}

/** The body that sends the form. An edit starts from what was read, so that untouched fields are sent back unchanged. */
export function writeBody(form: SourceForm, base: Source | null): Record<string, unknown> {
  const body: Record<string, unknown> = base ? writable(base) : {}
  const fields = base ? changedFields(form, base) : sourceFields
  for (const field of fields) apply(body, field, form, base)
  if (!base || base.kind !== form.kind) dropOtherKinds(body, form.kind)
  return body
}

function apply(body: Record<string, unknown>, field: SourceField, form: SourceForm, base: Source | null): void {
  switch (field) {
    case 'name':
    case 'kind':
    case 'connection':
      body[field] = form[field].trim()
      return
    case 'databaseName':
    case 'tableName':
      body['from'] = { ...base?.from, databaseName: form.databaseName.trim(), tableName: form.tableName.trim() }
      return
    case 'disabled':
      setField(body, 'disabled', form.disabled || base ? form.disabled : undefined)
      return
    case 'durationPrecision':
      setField(body, field, form.durationPrecision ?? undefined)
      return
    case 'rest':
      for (const key of Object.keys(restOf(base ?? {}))) setField(body, key, undefined)
      Object.assign(body, readRest(form.rest))
      return
    default:
      if (isTable(field)) body['metricTables'] = tablesOf(form, base)
      else setField(body, field, form[field] === '' ? undefined : form[field])
  }
}

const isTable = (field: SourceField): field is MetricTableName => field in metricTableFields

function tablesOf(form: SourceForm, base: Source | null): Record<string, unknown> {
  const tables: Record<string, unknown> = { ...base?.metricTables }
  for (const name of metricTableNames) setField(tables, metricTableFields[name], form[name].trim() || undefined)
  return tables
}

/** A source of another kind does not keep fields that only the former kind had. */
function dropOtherKinds(body: Record<string, unknown>, kind: string): void {
  if (!isKnown(kind)) return
  for (const name of namesOf) if (!hasField(kind, name)) setField(body, name, undefined)
  if (kind !== 'metric') setField(body, 'metricTables', undefined)
  if (kind !== 'trace') setField(body, 'durationPrecision', undefined)
}

/** Values that a deployment would refuse, on the fields of the form. */
export const formSchema = z.custom<SourceForm>().superRefine((form, context) => {
  const refuse = (field: SourceField, message = 'Required') =>
    context.addIssue({ code: 'custom', path: [field], message })
  const needed: SourceField[] = ['name', 'kind', 'connection', 'databaseName']
  if (form.kind !== 'metric') needed.push('tableName')
  needed.push(...namesOf.filter((name) => needsField(form.kind, name)))
  for (const field of needed) if (String(form[field] ?? '').trim() === '') refuse(field)
  if (form.kind === 'metric' && metricTableNames.every((name) => form[name].trim() === '')) {
    refuse('gaugeTable', 'Enter at least one table')
  }
  const precision = form.durationPrecision
  if (precision !== null && !(Number.isInteger(precision) && precision >= 0 && precision <= 9)) {
    refuse('durationPrecision', 'Enter a whole number from 0 to 9')
  }
  if (form.section.length > 256) refuse('section', 'At most 256 characters')
  const rest = readRest(form.rest)
  if (!rest) return refuse('rest', 'Enter a JSON object')
  const twice = Object.keys(rest).find((key) => named.includes(key) && isOwn(key, rest[key]))
  if (twice) refuse('rest', `${twice} has its own field above`)
  if (Object.keys(rest).some((key) => readOnlyFields.includes(key)))
    refuse('rest', 'Contains fields that only the deployment sets')
})

/** A form value for a person to read, in a review or a comparison. */
function formatValue(field: SourceField, form: SourceForm): string {
  const value = form[field]
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return field === 'rest' && value === noRest ? '' : String(value)
}

/** The form's field for a path in a body: `from.tableName`, `metricTables.gauge`, `materializedViews.0.tableName`. */
export function fieldAt(path: string): SourceField {
  const [first = '', second] = path.split('.')
  if (first === 'from') return second === 'databaseName' ? 'databaseName' : 'tableName'
  if (first === 'metricTables')
    return metricTableNames.find((name) => metricTableFields[name] === second) ?? 'gaugeTable'
  return sourceFields.find((field) => field === first) ?? 'rest'
}

/** Where the refusals of the API belong on the form. */
function refusals(failure: ApiFailure): { path: string; message: string }[] {
  if (failure.fields?.length) return failure.fields.map(({ path, message }) => ({ path: fieldAt(path), message }))
  // The one refusal that names no field: docs/DEPLOYMENTS.md#sources.
  const { message } = failure
  return message.startsWith('connection must be') ? [{ path: 'connection', message }] : []
}

export const sourceForm: RecordForm<Source, SourceForm> = {
  titles: fieldTitles,
  read: readForm,
  schema: () => formSchema,
  body: writeBody,
  changed: changedFields,
  formatValue,
  refusals,
}
