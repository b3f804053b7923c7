/**
 * The tools of a deployment's own MCP endpoint that the gateway may call, where the API of the deployment lacks a read:
 * docs/DEPLOYMENTS.md#mcp-endpoint. All of them only read, and no other tool can be called.
 */
import { z } from 'zod'
import { alertEvaluations } from './alertHistory.ts'
import { pathId, wireNumber } from '../wire/kernel.ts'
import type { WireNames } from '../wire/naming.ts'
import { metricTypes } from './sourceRules.ts'

/** The MCP endpoint next to the API of the open-source variant, with the same key. */
export const toolsPath = '/mcp'

/** Metrics of one call, at most. */
export const maxListedMetrics = 500
const maxSql = 200_000

/** Rows as the engine's format JSON has them. */
export const sqlRows = z.looseObject({
  meta: z.array(z.looseObject({ name: z.string(), type: z.string() })).optional(),
  data: z.array(z.record(z.string(), z.unknown())),
  /** The rows that the statement has. `data` may have fewer, because large results are cut. */
  rows: wireNumber.optional(),
  statistics: z
    .looseObject({
      elapsed: wireNumber.optional(),
      rows_read: wireNumber.optional(),
      bytes_read: wireNumber.optional(),
    })
    .optional(),
})

export type SqlRows = z.output<typeof sqlRows>

/** The inputs that are sent, and the parts of the outputs that are used. Unknown fields of outputs survive. */
export const deploymentTools = {
  listMetrics: {
    name: 'list_metrics',
    input: z.strictObject({
      sourceId: pathId,
      limit: z.int().min(1).max(maxListedMetrics),
      /** ISO 8601. */
      startTime: z.string().optional(),
      /** `nextCursor` of the call before. */
      cursor: z.string().optional(),
    }),
    output: z.looseObject({
      metrics: z.array(
        z.looseObject({ name: z.string(), kind: z.enum(metricTypes).or(z.string()), unit: z.string().optional() }),
      ),
      nextCursor: z.string().optional(),
      /** Kinds that could not be read. */
      partialFailure: z.array(z.looseObject({ kind: z.string() })).optional(),
    }),
  },
  /** An alert with its newest evaluations. */
  getAlert: {
    name: 'get_alert',
    input: z.strictObject({ id: pathId }),
    output: z.looseObject({ history: alertEvaluations.shape.items }),
  },
  /** Sources, and the connections to databases. */
  listSources: {
    name: 'list_sources',
    input: z.strictObject({}),
    output: z.looseObject({
      sources: z.array(z.looseObject({ connectionId: z.string().optional() })),
      connections: z.array(z.looseObject({ id: z.string(), name: z.string().optional() })),
    }),
  },
  /** Runs SQL. The gateway checks it before. */
  sql: {
    name: 'sql',
    input: z.strictObject({ connectionId: z.string().min(1).max(200), sql: z.string().min(1).max(maxSql) }),
    output: z.looseObject({
      result: sqlRows,
    }),
  },
} as const

export type ToolKey = keyof typeof deploymentTools
export const toolKeys = Object.keys(deploymentTools) as readonly ToolKey[] // its keys are those of the object
export type ToolInput<K extends ToolKey> = z.input<(typeof deploymentTools)[K]['input']>
export type ToolOutput<K extends ToolKey> = z.output<(typeof deploymentTools)[K]['output']>

/** A tool as a deployment calls it. */
export const toolName = (tool: ToolKey, names: WireNames): string => `${names.stack}_${deploymentTools[tool].name}`
