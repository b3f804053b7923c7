/** Data sources: section 5 of the open-source reference, 8.3 of the managed one. Listed on both variants (spec 1). */
import { z } from 'zod'
import { openEnum, resource } from './kernel.ts'

export const sourceKinds = ['log', 'trace', 'metric', 'session', 'promql'] as const

/** The tables of a metrics source, one a metric type. */
export const metricTypes = ['gauge', 'sum', 'histogram', 'exponential histogram', 'summary'] as const
export type MetricType = (typeof metricTypes)[number]

export const source = z.looseObject({
  id: z.string(),
  name: z.string(),
  kind: openEnum(sourceKinds),
  connection: z.string().optional(),
  from: z.looseObject({ databaseName: z.string(), tableName: z.string() }).optional(),
  timestampValueExpression: z.string().optional(),
  bodyExpression: z.string().optional(),
  serviceNameExpression: z.string().optional(),
  severityTextExpression: z.string().optional(),
  durationExpression: z.string().optional(),
  resourceAttributesExpression: z.string().optional(),
  eventAttributesExpression: z.string().optional(),
  metricTables: z.partialRecord(z.enum(metricTypes), z.string()).optional(),
  section: z.string().nullish(),
  disabled: z.boolean().optional(),
})
export type Source = z.infer<typeof source>

export const sources = resource('sources', {
  list: {
    method: 'GET',
    scope: 'stack',
    path: '/sources',
    variants: ['openSource', 'managed'],
    result: z.array(source),
  },
})
