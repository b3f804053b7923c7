/** Chart series: docs/DEPLOYMENTS.md#chart-series for responses. */
import { z } from 'zod'
import { splitExpressions } from './expressionLists.ts'
import { resource, wireNumber } from '../wire/kernel.ts'
import { metricTypes } from './sources.ts'

/** The aggregation of a series. `increase` is the growth of counters and needs a metric of type `sum`. */
export const aggFns = [
  'count',
  'count_distinct',
  'sum',
  'avg',
  'min',
  'max',
  'quantile',
  'last_value',
  'any',
  'none',
  'increase',
] as const
export type AggFn = (typeof aggFns)[number]

/** The aggregations of histograms and summaries. */
export const distributionAggFns: readonly AggFn[] = ['quantile', 'count', 'sum', 'avg']

export const granularities = [
  '30s',
  '1m',
  '5m',
  '10m',
  '15m',
  '30m',
  '1h',
  '2h',
  '6h',
  '12h',
  '1d',
  '2d',
  '7d',
  '30d',
] as const
/** The choices of `auto`: they include 15 s, which cannot be requested, and not 10 min (docs/DEPLOYMENTS.md#chart-series). */
const autoSteps = [15, 30, 60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000]

export const maxSeries = 5
export const maxGroupBy = 10
/** The maximum number of buckets of a query, before grouping. */
export const maxBuckets = 11_000
/** The maximum of `topGroups`. */
export const maxTopGroups = 1000

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The length of a bucket in seconds. `auto` aims at 60 buckets for the range, as deployments do (docs/DEPLOYMENTS.md#chart-series). */
export function granularitySeconds(granularity: string, startTime: number, endTime: number): number {
  const match = /^(\d{1,9})([smhd])$/.exec(granularity)
  if (match?.[1] && match[2]) return Number(match[1]) * (unitSeconds[match[2]] ?? 1)
  const wanted = Math.ceil(Math.floor((endTime - startTime) / 1000) / 60)
  return autoSteps.find((step) => step >= wanted) ?? autoSteps.at(-1)!
}

const milliseconds = z
  .int()
  .positive()
  .refine((time) => time >= 1e12, 'Timestamp must be in milliseconds')

/** The name of a time zone in the IANA database, such as `Europe/Berlin`. */
const timezone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'timezone must be the name of a time zone, such as Europe/Berlin or UTC')

function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 are accepted by some runtimes, but they are no zones: they have no change of clocks.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const where = z.string().max(10_000)
/** An entry may be a list, `ServiceName, SeverityText`, which is that many groups. */
const groupBy = z
  .array(z.string().min(1))
  .max(maxGroupBy)
  .transform((entries) => entries.flatMap(splitExpressions))

export const chartSeries = z.object({
  sourceId: z.string().min(1),
  aggFn: z.enum(aggFns),
  /** The aggregated column or expression; none for `count`. */
  field: z.string().max(10_000).optional(),
  /** Quantile, 0 to 1. */
  level: z.number().min(0).max(1).optional(),
  where: where.default(''),
  whereLanguage: z.enum(['lucene', 'sql']).default('lucene'),
  groupBy: groupBy.default([]),
  metricName: z.string().optional(),
  metricDataType: z.enum(metricTypes).optional(),
})
export type ChartSeries = z.infer<typeof chartSeries>

/** The schema of a query with a schema for its series. */
const queryOf = <S extends z.ZodType<{ groupBy?: string[] | undefined }>>(series: S) =>
  z
    .object({
      startTime: milliseconds,
      endTime: milliseconds,
      granularity: z.enum([...granularities, 'auto']).default('auto'),
      /**
       * The zone in which buckets of hours and days start: days at local midnight, hours at local multiples of the
       * granularity, so that a bucket is longer or shorter where clocks change. UTC by default, and on deployments that
       * do not know the field, which ignore it.
       */
      timezone: timezone.optional(),
      series: z.array(series).min(1, 'Series array cannot be empty').max(maxSeries),
      seriesReturnType: z.enum(['ratio', 'column']).optional(),
      /**
       * Only so many groups, the largest ones, and all others as one: see `chartPoint`. Fewer where so many would be too
       * many points. Only for deployments that say in a source's `chartOptions` that they know it.
       */
      topGroups: z.int().min(1).max(maxTopGroups).optional(),
      /** The range whose largest groups those are: that of the query by default, another one where two ranges are compared. */
      topGroupsRange: z.object({ startTime: milliseconds, endTime: milliseconds }).optional(),
    })
    .superRefine((query, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
      if (query.startTime >= query.endTime) refuse('endTime', 'endTime must be greater than startTime')
      const groups = new Set(query.series.map((series) => JSON.stringify(series.groupBy ?? [])))
      if (groups.size > 1) refuse('series', 'All series must have the same groupBy fields')
      const seconds = granularitySeconds(query.granularity, query.startTime, query.endTime)
      const buckets = Math.ceil((query.endTime - query.startTime) / 1000 / seconds)
      if (buckets > maxBuckets) {
        refuse(
          'granularity',
          `the range holds ${buckets} buckets of ${query.granularity}, at most ${maxBuckets} are answered: choose a coarser granularity or a shorter range`,
        )
      }
    })

export const chartQuery = queryOf(chartSeries)
export type ChartQuery = z.input<typeof chartQuery>

/** A query before defaults: deployments require `where` and `groupBy`, so a server can tell that they are missing. */
export const chartQueryAsSent = queryOf(chartSeries.extend({ where: where.optional(), groupBy: groupBy.optional() }))
export type ChartQueryAsSent = z.output<typeof chartQueryAsSent>

/** In the first point or row: the roll-ups that most of the response was read from. Only the stack tells them. */
const readFrom = z.array(z.string())

/**
 * One bucket of one group. `series_N.data` only exists if series N has rows. Counts arrive as text. A point of the groups
 * beyond `topGroups` has their number, and no group: groups may have any name.
 */
export const chartPoint = z.looseObject({
  ts_bucket: wireNumber,
  group: z.array(z.unknown()).optional(),
  otherGroups: wireNumber.optional(),
  readFrom: readFrom.optional(),
})
export type ChartPoint = z.infer<typeof chartPoint>

/** A row of `seriesReturnType: 'column'`: one series and one bucket, with groups named by the engine. */
const chartRow = z.looseObject({
  __hdx_time_bucket: z.string(),
  __other_groups: wireNumber.optional(),
  __read_from: readFrom.optional(),
})
export type ChartRow = z.infer<typeof chartRow>

/** SQL that computes series, and the places of these in the query. */
const chartStatement = z.looseObject({
  statement: z.string(),
  series: z.array(wireNumber),
  /** Why `sql.run` refuses it; absent where it runs it. */
  refused: z.string().optional(),
})
export type ChartStatement = z.infer<typeof chartStatement>

const queryIds = /^[\w-]{1,64}(?:,[\w-]{1,64}){0,49}$/

/** A request that waits for its turn, or whose statements run. Others are not in the list. */
const queryProgress = z.looseObject({
  id: z.string(),
  state: z.string(),
  rowsRead: wireNumber,
  /** As far as it is known; an estimate until the statements run. */
  rowsTotal: wireNumber,
})
export type QueryProgress = z.infer<typeof queryProgress>

export const charts = resource('charts', {
  query: {
    method: 'POST',
    scope: 'stack',
    path: '/charts/series',
    variants: ['openSource'],
    mutates: false,
    body: chartQuery,
    strictBody: chartQueryAsSent,
    list: true,
    result: z.union([z.array(chartPoint), z.array(chartRow)]),
  },
  /** The SQL of a query, over rows and for all groups, to be read and run: the stack tells it. */
  statements: {
    method: 'POST',
    scope: 'stack',
    path: '/charts/statements',
    variants: ['openSource'],
    unspecified: true,
    feature: 'statements',
    mutates: false,
    body: chartQuery,
    list: true,
    result: z.array(chartStatement),
  },
  /** How far the charts and searches are that the same key has asked for under these names (`queryIdHeader`). */
  progress: {
    method: 'GET',
    scope: 'stack',
    path: '/charts/progress',
    variants: ['openSource'],
    unspecified: true,
    feature: 'progress',
    query: z.object({ ids: z.string().regex(queryIds, 'must be up to 50 IDs of queries, with commas between them') }),
    list: true,
    result: z.array(queryProgress),
  },
})
