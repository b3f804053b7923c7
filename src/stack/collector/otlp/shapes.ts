/** The role of each message type for the limits: container of records, record, or part of either. */
import { fieldsOf, type FieldPlan, type MessageName } from './messages.ts'

export type RequestName = 'ExportLogsRequest' | 'ExportTraceRequest' | 'ExportMetricsRequest'

/**
 * A container leads to records, and its other fields are shared by them. The limits of one record apply to a record
 * and to each shared part. `plain` messages are within one of the others.
 */
type Role = 'container' | 'record' | 'plain'

export interface Shape {
  name: MessageName
  role: Role
  byNumber: ReadonlyMap<number, ShapeField>
  /** In lowerCamelCase and in snake_case. */
  byName: ReadonlyMap<string, ShapeField>
}

export interface ShapeField {
  name: string
  number: number
  repeated: boolean
  /** Shape of the message that the field holds; null for a scalar. */
  shape: Shape | null
  /** Bytes of one item of a packed list: 0 if the items have different lengths. */
  itemBytes: number
  /** Whether the field leads to records. */
  leads: boolean
}

const records: readonly MessageName[] = [
  'LogRecord',
  'Span',
  'NumberPoint',
  'HistogramPoint',
  'ExponentialPoint',
  'SummaryPoint',
]
const containers: readonly MessageName[] = [
  'ExportLogsRequest',
  'ResourceLogs',
  'ScopeLogs',
  'ExportTraceRequest',
  'ResourceSpans',
  'ScopeSpans',
  'ExportMetricsRequest',
  'ResourceMetrics',
  'ScopeMetrics',
  'Metric',
  'Gauge',
  'Sum',
  'Histogram',
  'ExponentialHistogram',
  'Summary',
]

const shapes = new Map<MessageName, Shape>()

/** The shape of a message; that of a request leads to all others. */
export function shapeOf(name: MessageName): Shape {
  const known = shapes.get(name)
  if (known) return known
  const byNumber = new Map<number, ShapeField>()
  const byName = new Map<string, ShapeField>()
  const shape: Shape = { name, role: roleOf(name), byNumber, byName }
  // Registered before its fields, because messages are recursive.
  shapes.set(name, shape)
  for (const plan of fieldsOf(name)) {
    const field = fieldOf(plan)
    byNumber.set(field.number, field)
    for (const key of [field.name, snakeCase(field.name)]) byName.set(key, field)
  }
  return shape
}

function roleOf(name: MessageName): Role {
  if (containers.includes(name)) return 'container'
  return records.includes(name) ? 'record' : 'plain'
}

function fieldOf({ name, number, repeated, type }: FieldPlan): ShapeField {
  const shape = isScalar(type) ? null : shapeOf(type)
  const itemBytes = /fixed64|double/.test(type) ? 8 : /fixed32/.test(type) ? 4 : 0
  return { name, number, repeated, shape, itemBytes, leads: shape !== null && shape.role !== 'plain' }
}

function isScalar(type: FieldPlan['type']): type is Exclude<FieldPlan['type'], MessageName> {
  return /^[a-z]/.test(type)
}

/** `timeUnixNano` as `time_unix_nano`: both are accepted in JSON. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
