/** Known columns of a source, for suggestions. Any other text is accepted: the deployment decides. */
import { withoutEnd } from '#domain/text/withoutEnd.ts'
import { splitExpressions } from '#contract/stack/expressionLists.ts'
import type { Source } from '#contract/stack/sources.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import { openWord } from '#domain/query/openTerm.ts'
import { printField } from '#domain/query/printFilter.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import type { Language } from './conditions/conditions.ts'

export interface Field {
  name: string
  kind: 'text' | 'number' | 'map'
}

const text = (...names: string[]): Field[] => names.map((name) => ({ name, kind: 'text' }))
const number = (...names: string[]): Field[] => names.map((name) => ({ name, kind: 'number' }))
const map = (...names: string[]): Field[] => names.map((name) => ({ name, kind: 'map' }))

/** Columns of the OpenTelemetry tables, by kind of source (docs/DEPLOYMENTS.md#tables). */
const known: Partial<Record<string, Field[]>> = {
  log: [
    ...text('SeverityText', 'ServiceName', 'Body', 'ScopeName', 'EventName', 'TraceId', 'SpanId'),
    ...number('SeverityNumber'),
    ...map('LogAttributes', 'ResourceAttributes', 'ScopeAttributes'),
  ],
  trace: [
    ...number('Duration'),
    ...text('ServiceName', 'SpanName', 'SpanKind', 'StatusCode', 'StatusMessage', 'ScopeName', 'TraceId', 'SpanId'),
    ...text('ParentSpanId'),
    ...map('SpanAttributes', 'ResourceAttributes'),
  ],
  metric: [
    ...text('ServiceName', 'MetricName', 'MetricUnit', 'ScopeName'),
    ...map('Attributes', 'ResourceAttributes', 'ScopeAttributes'),
  ],
}

/** Columns that the source names come first, then the usual ones of its kind. */
export function fieldsOf(source: Source | undefined): Field[] {
  if (!source) return []
  const named = [
    ...text(...present(source.serviceNameExpression, source.severityTextExpression)),
    ...text(...splitExpressions(source.bodyExpression ?? '')),
    ...number(...present(source.durationExpression)),
    ...map(...present(source.resourceAttributesExpression, source.eventAttributesExpression)),
  ]
  return distinct([...named, ...(known[source.kind] ?? [])])
}

/** Each column once, at its first position. */
export function distinct(fields: readonly Field[]): Field[] {
  const seen = new Set<string>()
  return fields.filter(({ name }) => !seen.has(name) && seen.add(name))
}

const present = (...names: (string | undefined)[]): string[] => names.flatMap((name) => name || [])

/** Columns with the attributes that were found in their maps: `LogAttributes['http.method']`. */
export function withAttributes(
  fields: readonly Field[],
  found: readonly { column: string; names: readonly string[] }[],
): Field[] {
  const attributes = found.flatMap(({ column, names }) =>
    names.map((name): Field => ({ name: attributeOf(column, name), kind: 'text' })),
  )
  return [...fields, ...attributes]
}

/** Aggregates of numbers. Deployments read a text that is none as 0, and answer that. */
const numeric = ['sum', 'avg', 'min', 'max', 'quantile', 'last_value']

/** Columns that contain text in every OpenTelemetry table, and no numbers as text, unlike a body. */
const texts = new Set(
  Object.values(known).flatMap((fields = []) =>
    fields.flatMap(({ name, kind }) => (kind === 'text' && name !== 'Body' ? [name] : [])),
  ),
)

/** Why an aggregate cannot be computed on a text column of logs or traces; null if it can. */
export function textProblem(aggFn: string, expression: string): string | null {
  const column = expression.trim().replace(/^`(\w+)`$/, '$1')
  if (!numeric.includes(aggFn) || !texts.has(column)) return null
  return `${column} is text, but ${aggFn.replace('_', ' ')} needs numbers. Use count distinct, or choose a numeric field`
}

/** Suggestions for an aggregate: numbers first for numeric aggregates, text first for the others. */
export function fieldsFor(aggFn: string, fields: readonly Field[]): string[] {
  const first = numeric.includes(aggFn) ? 'number' : 'text'
  return suggested(
    fields
      .filter(({ name }) => textProblem(aggFn, name) === null)
      .toSorted((a, b) => Number(b.kind === first) - Number(a.kind === first)),
  )
}

/** Suggestions for grouping: no numbers, which make one group for each value. */
export function groupFields(fields: readonly Field[]): string[] {
  return suggested(fields.filter(({ kind }) => kind !== 'number'))
}

/** Names of fields. Of a map, the attributes that are known; else, after all others, how one is written. */
function suggested(fields: readonly Field[]): string[] {
  const names = fields.filter(({ kind }) => kind !== 'map').map(({ name }) => name)
  const unknown = fields.filter(
    ({ name, kind }) => kind === 'map' && !names.some((written) => written.startsWith(`${name}['`)),
  )
  return [...names, ...unknown.map(({ name }) => `${name}['']`)]
}

/** The word under the cursor of a condition, and the columns that continue it, as the language spells them. */
export function completions(
  condition: string,
  cursor: number,
  fields: readonly Field[],
  language: Language,
): { start: number; names: string[] } {
  const before = condition.slice(0, cursor)
  const start = language === 'sql' ? withoutEnd(before, /[\w.-]/).length : openWord(before)
  const typed = before.slice(start).toLowerCase()
  if (!typed) return { start, names: [] }
  const names = fields
    .map(({ name, kind }) => (language === 'sql' ? name : kind === 'map' ? `${name}.` : `${dotted(name)}:`))
    .filter((name) => name.toLowerCase().startsWith(typed) && name.toLowerCase() !== typed)
    .slice(0, maxCompletions)
  return { start, names }
}

const maxCompletions = 12

/** `LogAttributes['http.method']` as the field:value language spells it. */
const dotted = (name: string): string => printField(fieldOf(name) ?? name)

/** A typed word that is the beginning of a field and no field itself, completed: "Serv" is ServiceName. All else is as it was typed. */
export function completedField(typed: string, fields: readonly string[]): string {
  if (!/^\w+$/.test(typed) || fields.includes(typed)) return typed
  const begins = (name: string) => /^\w+$/.test(name) && name.toLowerCase().startsWith(typed.toLowerCase())
  return fields.find(begins) ?? typed
}
