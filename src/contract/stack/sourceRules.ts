/** Data sources as the stack accepts them: docs/DEPLOYMENTS.md#sources. Unknown keys are dropped. */
import { z } from 'zod'

/** The tables of a metrics source, one for each metric type. */
export const metricTypes = ['gauge', 'sum', 'histogram', 'exponential histogram', 'summary'] as const
export type MetricType = (typeof metricTypes)[number]

/** Omitted or null, which mean the same. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
  .optional()
const filled = z.string().min(1)

const units: Record<string, string> = { second: 's', minute: 'm', hour: 'h', day: 'd' }

/** `5m`, or `5 minute` as some clients send it; stored as `5m`. */
const granularity = z
  .string()
  .regex(/^\d+(?:[smhd]| (?:second|minute|hour|day))$/)
  .transform((value) => value.replace(/ (\w+)$/, (_, unit: string) => units[unit] ?? unit))

const aggregatedColumn = z
  .object({ aggFn: filled, mvColumn: filled, sourceColumn: text })
  .superRefine(({ aggFn, sourceColumn }, context) => {
    if (aggFn === 'count' || sourceColumn) return
    context.addIssue({
      code: 'custom',
      path: ['sourceColumn'],
      message: 'sourceColumn is required unless aggFn is count',
    })
  })

/** A table with aggregates of the rows of a source, one row for each step of time and set of dimensions. */
export const materializedView = z.object({
  databaseName: filled,
  tableName: filled,
  dimensionColumns: z.string(),
  minGranularity: granularity,
  minDate: z.iso.datetime().nullish(),
  timestampColumn: filled,
  aggregatedColumns: z.array(aggregatedColumn).min(1),
})

/** Tables with the names and the values of attributes, by steps of time. */
export const metadataMaterializedViews = z.object({
  keyRollupTable: z.string().nullish(),
  kvRollupTable: filled,
  granularity,
})

/** The columns that are offered as filters, and the table that their values are read from. Kept for clients that use it. */
const filterSettings = z.object({
  databaseName: text,
  tableName: text,
  columns: z
    .array(z.object({ name: filled, label: text }))
    .max(10)
    .optional(),
})

const highlighted = z.array(z.object({ sqlExpression: z.string(), luceneExpression: text, alias: text })).optional()

const common = {
  name: filled,
  connection: z.string(),
  from: z.object({ databaseName: filled, tableName: filled }),
  timestampValueExpression: filled,
  section: z.string().max(256).optional(),
  disabled: z.boolean().optional(),
  querySettings: z
    .array(z.object({ setting: filled, value: filled }))
    .max(10)
    .optional(),
}

/** Common fields of logs and traces. */
const records = {
  ...common,
  defaultTableSelectExpression: filled,
  serviceNameExpression: text,
  serviceVersionExpression: text,
  severityTextExpression: text,
  bodyExpression: text,
  eventAttributesExpression: text,
  resourceAttributesExpression: text,
  displayedTimestampValueExpression: text,
  metricSourceId: text,
  implicitColumnExpression: text,
  knownColumnsListExpression: text,
  tableFilterExpression: text,
  orderByExpression: text,
  useTextIndexForImplicitColumn: z.enum(['auto', 'enabled', 'disabled']).optional(),
  highlightedTraceAttributeExpressions: highlighted,
  highlightedRowAttributeExpressions: highlighted,
  materializedViews: z.array(materializedView).optional(),
  metadataMaterializedViews: metadataMaterializedViews.optional(),
  filterSettings: filterSettings.optional(),
}

const log = z.object({
  kind: z.literal('log'),
  ...records,
  traceSourceId: text,
  traceIdExpression: text,
  spanIdExpression: text,
})

const trace = z.object({
  kind: z.literal('trace'),
  ...records,
  traceSourceId: text,
  logSourceId: z.string().nullish(),
  sessionSourceId: text,
  durationExpression: filled,
  durationPrecision: z.int().min(0).max(9).default(3),
  traceIdExpression: filled,
  spanIdExpression: filled,
  parentSpanIdExpression: filled,
  spanNameExpression: filled,
  spanKindExpression: filled,
  sampleRateExpression: text,
  statusCodeExpression: text,
  statusMessageExpression: text,
  spanEventsValueExpression: text,
  spanLinksValueExpression: text,
})

const metricTables = z
  .object({ gauge: text, sum: text, histogram: text, 'exponential histogram': text, summary: text })
  .refine((tables) => Object.values(tables).some(Boolean), 'At least one metric table is required')

const metric = z.object({
  kind: z.literal('metric'),
  ...common,
  from: z.object({ databaseName: filled, tableName: z.string().default('') }),
  metricTables,
  resourceAttributesExpression: filled,
  serviceNameExpression: text,
  logSourceId: text,
  seriesTable: text,
})

const session = z.object({
  kind: z.literal('session'),
  ...common,
  timestampValueExpression: filled.default('TimestampTime'),
  traceSourceId: filled,
  resourceAttributesExpression: text,
})

const promql = z.object({ kind: z.literal('promql'), ...common })

/** A complete source: an update replaces all of it, and can change its kind. */
export const sourceInputStrict = z.discriminatedUnion('kind', [log, trace, metric, session, promql])
