/** Tools that read telemetry. */
import { z } from 'zod'
import { aggFns, granularities, maxGroupBy, maxSeries } from '#contract/stack/charts.ts'
import { api } from '#contract/index.ts'
import { searchLimits, whereLanguages } from '#contract/stack/savedSearches.ts'
import type { Source } from '#contract/stack/sources.ts'
import { metricTypes } from '#contract/stack/sources.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { AgentGateway } from '../exchange/agentGateway.ts'
import { shortText } from '../exchange/answers.ts'
import { connection, idOf, isoTime, timeRange, tool } from './tool.ts'

/** The limits of an answer: rows, columns of a row, characters of a value, points of a chart, and spans of a trace. */
const most = { rows: 100, columns: 30, text: 1_000, points: 500, spans: 200 }

const where = z
  .string()
  .max(searchLimits.where)
  .default('')
  .describe("Condition, such as level:error or, in SQL, SeverityText = 'ERROR'. Default: all rows.")
const whereLanguage = z.enum(whereLanguages).default('lucene').describe('Language of where.')
const sourceId = idOf('source', 'list_sources')

export const telemetryTools = [
  tool({
    name: 'search_rows',
    kind: 'read',
    title: 'Search rows',
    description:
      'Searches rows of a log or trace source, newest first: at most 100 rows and 30 columns, texts of at most 1,000 characters. Ask for few columns and a short range. For counts use query_chart.',
    input: z.strictObject({
      connection,
      sourceId,
      ...timeRange('now-15m'),
      where,
      whereLanguage,
      columns: z
        .array(z.string().min(1).max(300))
        .max(most.columns)
        .default([])
        .describe(
          "SQL expressions, such as Timestamp or SpanAttributes['http.route']. Default: time, service, severity and text.",
        ),
      rows: z.int().min(1).max(most.rows).default(20).describe('1 to 100.'),
      offset: z.int().min(0).max(10_000).default(0).describe('Rows to skip, for the next page.'),
    }),
    isTelemetry: true,
    run: async (gateway, { connection: id, from, to, columns, rows, ...query }) => {
      const source = await sourceOf(gateway, id, query.sourceId)
      const select = (columns.length > 0 ? columns : defaultColumns(source)).join(', ')
      const range = { startTime: isoTime(from), endTime: isoTime(to) }
      const body = { ...query, ...range, select, maxResults: rows }
      const { data } = await gateway.read(id, api.search.query, { body })
      return { rows: data.map(shortRow), mayHaveMore: data.length === rows }
    },
  }),
  tool({
    name: 'query_chart',
    kind: 'read',
    title: 'Query a chart',
    description:
      'Aggregates rows or metric points over time: up to 5 series with one grouping, at most 500 points. A granularity as long as the range gives one number for each group.',
    input: z.strictObject({
      connection,
      ...timeRange('now-1h'),
      granularity: z
        .enum([...granularities, 'auto'])
        .default('auto')
        .describe('Length of a bucket. auto makes about 60 of them.'),
      groupBy: z
        .array(z.string().min(1).max(300))
        .max(maxGroupBy)
        .default([])
        .describe('SQL expressions, such as ServiceName.'),
      series: z
        .array(
          z.strictObject({
            sourceId,
            aggFn: z
              .enum(aggFns)
              .describe('count needs no field; quantile needs level; increase needs a metric of type sum.'),
            field: z.string().max(10_000).optional().describe('SQL expression that is aggregated, such as Duration.'),
            level: z.number().min(0).max(1).optional().describe('Quantile, 0 to 1.'),
            where,
            whereLanguage,
            metricName: z.string().max(1_000).optional().describe('From list_metrics.'),
            metricDataType: z.enum(metricTypes).optional(),
          }),
        )
        .min(1)
        .max(maxSeries),
    }),
    isTelemetry: true,
    run: async (gateway, { connection: id, from, to, granularity, groupBy, series }) => {
      const body = { startTime: from, endTime: to, granularity, series: series.map((one) => ({ ...one, groupBy })) }
      const points: Record<string, unknown>[] = await gateway.read(id, api.charts.query, { body })
      return {
        points: points.slice(0, most.points).map(shortRow),
        ...(points.length > most.points && {
          truncated: `${points.length - most.points} of ${points.length} points are left out. Choose a coarser granularity, a shorter range or fewer groups.`,
        }),
      }
    },
  }),
  tool({
    name: 'read_trace',
    kind: 'read',
    title: 'Read a trace',
    description:
      'Reads the spans of one trace, oldest first: time, service, name, parent, duration in the unit of the source and status. At most 200 spans.',
    input: z.strictObject({
      connection,
      traceId: z.string().regex(/^[0-9a-fA-F-]{1,64}$/, 'must be the ID of a trace, in hexadecimal digits'),
      sourceId: sourceId.optional().describe('ID of a trace source. Default: the first one.'),
      ...timeRange('now-7d'),
    }),
    isTelemetry: true,
    run: async (gateway, { connection: id, traceId, from, to, ...input }) => {
      const sources = await gateway.read(id, api.sources.list, {})
      const source = sources.find((candidate) =>
        input.sourceId ? candidate.id === input.sourceId : candidate.kind === 'trace' && !candidate.disabled,
      )
      if (source?.kind !== 'trace') throw failure('notFound', 'There is no such trace source. See list_sources.')
      const body = {
        sourceId: source.id,
        startTime: isoTime(from),
        endTime: isoTime(to),
        where: `${expressionOf(source, 'traceIdExpression', 'TraceId')} = '${traceId}'`,
        whereLanguage: 'sql' as const,
        select: spanColumns(source),
        orderBy: `${timeOf(source)} ASC`,
        // One more tells that there are more.
        maxResults: most.spans + 1,
      }
      const { data } = await gateway.read(id, api.search.query, { body })
      return {
        spans: data.slice(0, most.spans).map(shortRow),
        ...(data.length > most.spans && {
          truncated: `Only the first ${most.spans} spans. Use search_rows for others.`,
        }),
      }
    },
  }),
]

async function sourceOf(gateway: AgentGateway, connectionId: string, sourceId: string): Promise<Source> {
  const all = await gateway.read(connectionId, api.sources.list, {})
  const found = all.find(({ id }) => id === sourceId)
  if (!found) throw failure('notFound', 'This source does not exist. See list_sources.')
  return found
}

function defaultColumns(source: Source): string[] {
  const { serviceNameExpression, severityTextExpression, bodyExpression, implicitColumnExpression } = source
  const text =
    source.kind === 'trace'
      ? [expressionOf(source, 'spanNameExpression', 'SpanName')]
      : [bodyExpression || implicitColumnExpression]
  return [timeOf(source), serviceNameExpression, severityTextExpression, ...text].filter((column): column is string =>
    Boolean(column),
  )
}

const timeOf = ({ timestampValueExpression }: Source): string => timestampValueExpression || 'Timestamp'

/** An expression of a source that its schema does not name. */
function expressionOf(source: Source, field: string, fallback: string): string {
  const value = source[field]
  return typeof value === 'string' && value !== '' ? value : fallback
}

function spanColumns(source: Source): string {
  return [
    `${timeOf(source)} AS time`,
    `${source.serviceNameExpression || 'ServiceName'} AS service`,
    `${expressionOf(source, 'spanNameExpression', 'SpanName')} AS name`,
    `${expressionOf(source, 'spanIdExpression', 'SpanId')} AS id`,
    `${expressionOf(source, 'parentSpanIdExpression', 'ParentSpanId')} AS parent`,
    `${source.durationExpression || 'Duration'} AS duration`,
    `${expressionOf(source, 'statusCodeExpression', 'StatusCode')} AS status`,
  ].join(', ')
}

function shortRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(row).slice(0, most.columns)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      shortText(name, 300),
      typeof value === 'string' ? shortText(value, most.text) : value,
    ]),
  )
}
