/** Data sources: docs/DEPLOYMENTS.md#sources, #stack-resources. Listed on both variants. */
import { z } from 'zod'
import { openEnum, pathId, resource, wireNumber } from '../wire/kernel.ts'
import { metricTypes, sourceInputStrict } from './sourceRules.ts'

export const sourceKinds = ['log', 'trace', 'metric', 'session', 'promql'] as const

export { metricTypes, type MetricType } from './sourceRules.ts'

const expressions = {
  timestampValueExpression: z.string().optional(),
  bodyExpression: z.string().optional(),
  serviceNameExpression: z.string().optional(),
  severityTextExpression: z.string().optional(),
  durationExpression: z.string().optional(),
  resourceAttributesExpression: z.string().optional(),
  eventAttributesExpression: z.string().optional(),
}

export const source = z.looseObject({
  id: z.string(),
  name: z.string(),
  kind: openEnum(sourceKinds),
  connection: z.string().optional(),
  from: z.looseObject({ databaseName: z.string(), tableName: z.string() }).optional(),
  ...expressions,
  durationPrecision: wireNumber.optional(),
  /** The column that is searched for text without a field. Takes precedence over `bodyExpression`. */
  implicitColumnExpression: z.string().nullish(),
  metricTables: z.partialRecord(z.enum(metricTypes), z.string()).optional(),
  section: z.string().nullish(),
  disabled: z.boolean().optional(),
  /** Tables that the source names and that do not exist yet. Only the stack says it. */
  missingTables: z.array(z.string()).optional(),
  /** Options of chart queries beyond the specification, such as `topGroups`, that may be sent. Only the stack says it. */
  chartOptions: z.array(z.string()).optional(),
})
export type Source = z.infer<typeof source>

/** The input of clients. Fields and kinds that only the deployment knows pass through. */
export const sourceInput = z.looseObject({
  name: z.string().min(1),
  kind: openEnum(sourceKinds),
  connection: z.string().min(1),
  from: z.looseObject({ databaseName: z.string().min(1), tableName: z.string() }),
  ...expressions,
})

/** `unit` is that of OpenTelemetry: `ms`, `By`, `{request}`. */
const metricName = z.looseObject({ name: z.string(), type: openEnum(metricTypes), unit: z.string().optional() })
export type MetricName = z.infer<typeof metricName>

const record = { volatile: ['updatedAt', 'missingTables', 'chartOptions'] } as const
const sourceId = z.object({ sourceId: pathId })
/** The specification only has the list. The stack serves the other operations on both variants. */
const beyond = { scope: 'stack', variants: ['openSource'], alsoManaged: true, unspecified: true } as const

export const sources = resource('sources', {
  list: {
    method: 'GET',
    scope: 'stack',
    path: '/sources',
    variants: ['openSource', 'managed'],
    record,
    list: true,
    result: z.array(source),
  },
  get: { ...beyond, method: 'GET', path: '/sources/{sourceId}', params: sourceId, record, result: source },
  create: {
    ...beyond,
    method: 'POST',
    path: '/sources',
    body: sourceInput,
    strictBody: sourceInputStrict,
    stored: { unreturned: [] },
    result: source,
  },
  update: {
    ...beyond,
    method: 'PUT',
    path: '/sources/{sourceId}',
    params: sourceId,
    body: sourceInput,
    strictBody: sourceInputStrict,
    stored: { unreturned: [] },
    result: source,
  },
  /** The metrics that a source has points of. */
  metricNames: {
    ...beyond,
    feature: 'metricNames',
    method: 'GET',
    path: '/sources/{sourceId}/metric-names',
    params: sourceId,
    list: true,
    result: z.array(metricName),
  },
  delete: { ...beyond, method: 'DELETE', path: '/sources/{sourceId}', params: sourceId, result: z.unknown() },
})
