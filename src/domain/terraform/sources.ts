/** Sources. The provider omits empty texts and lists, so an attribute for them would be a change. */
import { isNumber, type JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { hasContent, noteUnknownFields, unknownFieldsText, type Description, type Scope } from './description.ts'
import type { Attribute, HclValue } from './hcl.ts'

/**
 * `text` and `requiredText`, which is written even when it is empty; `value` is a number or a yes or no; `reference` is the
 * id of another source.
 */
type Field =
  | 'text'
  | 'requiredText'
  | 'value'
  | 'reference'
  | 'connection'
  | { object: Shape }
  | { list: Shape; required?: true }
type Shape = Readonly<Record<string, Field>>

const texts = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'text'] as const))

const highlighted: Field = { list: { sqlExpression: 'requiredText', ...texts('luceneExpression', 'alias') } }

const shape: Shape = {
  name: 'requiredText',
  kind: 'requiredText',
  connection: 'connection',
  from: { object: { databaseName: 'requiredText', tableName: 'text' } },
  section: 'text',
  disabled: 'value',
  querySettings: { list: { setting: 'requiredText', value: 'requiredText' } },
  timestampValueExpression: 'requiredText',
  ...texts(
    'defaultTableSelectExpression',
    'serviceNameExpression',
    'severityTextExpression',
    'bodyExpression',
    'eventAttributesExpression',
    'resourceAttributesExpression',
    'displayedTimestampValueExpression',
    'traceIdExpression',
    'spanIdExpression',
    'implicitColumnExpression',
    'knownColumnsListExpression',
    'orderByExpression',
    'useTextIndexForImplicitColumn',
    'durationExpression',
  ),
  durationPrecision: 'value',
  ...texts(
    'parentSpanIdExpression',
    'spanNameExpression',
    'spanKindExpression',
    'sampleRateExpression',
    'statusCodeExpression',
    'statusMessageExpression',
    'spanEventsValueExpression',
  ),
  metricSourceId: 'reference',
  traceSourceId: 'reference',
  logSourceId: 'reference',
  sessionSourceId: 'reference',
  metricTables: { object: texts('gauge', 'histogram', 'sum', 'summary', 'exponential histogram') },
  highlightedTraceAttributeExpressions: highlighted,
  highlightedRowAttributeExpressions: highlighted,
  materializedViews: {
    list: {
      databaseName: 'requiredText',
      tableName: 'requiredText',
      dimensionColumns: 'requiredText',
      minGranularity: 'requiredText',
      minDate: 'text',
      timestampColumn: 'requiredText',
      aggregatedColumns: {
        list: { sourceColumn: 'text', aggFn: 'requiredText', mvColumn: 'requiredText' },
        required: true,
      },
    },
  },
  metadataMaterializedViews: {
    object: { keyRollupTable: 'requiredText', kvRollupTable: 'requiredText', granularity: 'requiredText' },
  },
}

export const describeSource: Description = (record, scope) => {
  noteUnknownFields(record, Object.keys(shape), scope)
  return attributesOf(record, shape, scope, '')
}

function attributesOf(record: JsonObject, fields: Shape, scope: Scope, path: string): Attribute[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = valueOf(record[key], field, scope, `${path}${key}`)
    const name = field === 'connection' ? 'connection_id' : attributeName(key)
    return value === undefined ? [] : [[name, value] as const]
  })
}

function valueOf(value: unknown, field: Field, scope: Scope, path: string): HclValue | undefined {
  if (typeof field === 'object') {
    if ('object' in field) return objectOf(value, field.object, scope, path)
    const items = listOf(value, field.list, scope, path)
    return items.length === 0 && !field.required ? undefined : items
  }
  const text = typeof value === 'string' ? value : ''
  if (field === 'requiredText') return text
  if (field === 'connection') return scope.idOf('dataConnections', text)
  if (field === 'text') return text === '' ? undefined : text
  if (field === 'reference') return text === '' ? undefined : scope.idOf('sources', text)
  return typeof value === 'boolean' || isNumber(value) ? value : undefined
}

function objectOf(value: unknown, fields: Shape, scope: Scope, path: string): HclValue | undefined {
  if (!isPlainObject(value)) return undefined
  noteUnknown(value, fields, scope, path)
  return Object.fromEntries(attributesOf(value, fields, scope, `${path}.`))
}

function listOf(value: unknown, fields: Shape, scope: Scope, path: string): HclValue[] {
  const items = Array.isArray(value) ? value.filter(isPlainObject) : []
  return items.flatMap((item) => objectOf(item, fields, scope, path) ?? [])
}

function noteUnknown(value: JsonObject, fields: Shape, scope: Scope, path: string): void {
  const unknown = Object.keys(value).filter((key) => !(key in fields) && hasContent(value[key]))
  if (unknown.length > 0) scope.note(unknownFieldsText(unknown.map((key) => `${path}.${key}`)))
}

/** `trace_id_expression` of `traceIdExpression`. */
function attributeName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(' ', '_')
}
