/** Links that show a dashboard or a chart to people without an account: the API between console and gateway. */
import { z } from 'zod'
import { alignment } from '../stack/chartAlignment.ts'
import { chartSeries, maxSeries, maxTopGroups, type ChartPoint, type ChartRow } from '../stack/charts.ts'
import { givenName } from '../wire/givenNames.ts'
import { pathId } from '../wire/kernel.ts'
import { metricTypes } from '../stack/sourceRules.ts'
import { searchLimits, whereLanguages } from '../stack/savedSearches.ts'
import type { SearchRow } from '../stack/search.ts'
import { maxSqlTemplate, sqlFilters, type SqlResult } from '../stack/sql.ts'

export const sharedLinkPaths = {
  /** The links of a connection. */
  links: '/api/connections/{connectionId}/shared-links',
  link: '/api/connections/{connectionId}/shared-links/{linkId}',
  /** The view of a link, for whoever has it. */
  view: '/api/shared-view',
} as const

const day = 86_400_000

/** Days after which a link expires at the latest. */
const maxLinkDays = 366

/** `moving` ends at the time of reading, and has a length in milliseconds. Times are epoch milliseconds. */
const sharedRange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('moving'),
    length: z
      .int()
      .min(60_000)
      .max(400 * day),
  }),
  z
    .object({ kind: z.literal('fixed'), from: z.int().positive(), to: z.int().positive() })
    .refine(({ from, to }) => from < to, 'from must be before to'),
])
export type SharedRange = z.output<typeof sharedRange>

/** A chart query without its times. */
const sharedQuery = z.object({
  series: z.array(chartSeries).min(1).max(maxSeries),
  seriesReturnType: z.enum(['ratio', 'column']).optional(),
  topGroups: z.int().min(1).max(maxTopGroups).optional(),
})

const combination = z.object({ how: z.enum(['add', 'min', 'max', 'last', 'first', 'mean']), exact: z.boolean() })
const shortText = z.string().max(2_000)

/** How a chart is drawn. */
const drawing = {
  /** The configuration of the tile, without its source and conditions. */
  config: z.record(z.string(), z.unknown()),
  /** The units of the series, where the tile has no number format. */
  units: z.array(z.unknown()).max(100),
  aggFns: z.array(z.string().max(40)).max(100),
  combinations: z.array(combination).max(100),
  notes: z.array(shortText).max(50),
}

const sharedChart = z.object({
  kind: z.literal('chart'),
  ...drawing,
  alignment,
  requests: z
    .array(z.object({ first: z.int().min(0), earlier: z.boolean(), query: sharedQuery }))
    .min(1)
    .max(20),
  /** Whether the value of the range before is shown beside that of the range. */
  before: z.boolean(),
})
export type SharedChart = z.output<typeof sharedChart>

const column = z.object({
  expression: z.string().max(1_000),
  wide: z.boolean(),
  role: z.enum(['severity', 'duration']).optional(),
})

/** A search without its times. */
const sharedSearch = (maxRows: number) =>
  z.object({
    sourceId: z.string().min(1).max(200),
    where: z.string().max(searchLimits.where),
    whereLanguage: z.enum(whereLanguages),
    select: z.string().max(searchLimits.select),
    maxResults: z.int().min(1).max(maxRows),
  })

const sharedRows = z.object({
  kind: z.literal('rows'),
  columns: z.array(column).max(100),
  search: sharedSearch(100),
})
export type SharedRows = z.output<typeof sharedRows>

/** The names of the columns of a search for patterns: those of the message and of its severity. */
export const messageNames = { text: '__c0', level: '__c1' } as const

/** Patterns of the messages that the search finds. Only the patterns are shown, and not the messages. */
const sharedPatterns = z.object({ kind: z.literal('patterns'), search: sharedSearch(1_000) })
export type SharedPatterns = z.output<typeof sharedPatterns>

/** Its counts are grouped by the place of a value in a scale, which follows from the bounds at each time. */
const sharedHeatmap = z.object({
  kind: z.literal('heatmap'),
  /** An expression for the value, as a number, as chart queries have it. */
  value: z.string().min(1).max(10_000),
  scale: z.enum(['log', 'linear']),
  unit: z.unknown(),
  notes: z.array(shortText).max(50),
  /** The least value, and the greatest one. */
  bounds: z.object({ alignment, query: sharedQuery }),
  counts: z.object({ alignment, query: sharedQuery }),
})
export type SharedHeatmap = z.output<typeof sharedHeatmap>

/** Rows of the statement of a tile that a link keeps and shows. */
export const maxSharedRows = { table: 200, chart: 5_000 } as const

/** A Raw SQL tile: its statement before anything is put in, with the filters of the dashboard. */
const sharedSql = z.object({
  kind: z.literal('sql'),
  config: drawing.config,
  notes: drawing.notes,
  alignment,
  template: z.string().min(1).max(maxSqlTemplate),
  filters: sqlFilters.optional(),
  /** The tables that `$__sourceTable` stands for; absent for a tile without a source. */
  source: z
    .object({
      from: z.object({ databaseName: z.string().max(200), tableName: z.string().max(200) }).optional(),
      metricTables: z.partialRecord(z.enum(metricTypes), z.string().max(200)).optional(),
    })
    .optional(),
  /** The deployment's connection to the database that runs it; absent for that of most sources. */
  databaseId: z.string().min(1).max(200).optional(),
})
export type SharedSql = z.output<typeof sharedSql>

const sharedText = z.object({ kind: z.literal('text'), text: z.string().max(100_000) })
/** A tile that has nothing to show. */
const sharedReason = z.object({ kind: z.literal('none'), reason: shortText })

const place = z.number().min(0).max(10_000)
const sharedTile = z.object({
  id: z.string().max(200),
  name: z.string().max(1_024),
  description: z.string().max(10_000).optional(),
  x: place,
  y: place,
  w: place,
  h: place,
  containerId: z.string().max(200).optional(),
  tabId: z.string().max(200).optional(),
  content: z.discriminatedUnion('kind', [
    sharedChart,
    sharedRows,
    sharedPatterns,
    sharedHeatmap,
    sharedSql,
    sharedText,
    sharedReason,
  ]),
})
export type SharedTile = z.output<typeof sharedTile>

const container = z.object({
  id: z.string().max(200),
  title: z.string().max(1_024).optional(),
  tabs: z
    .array(z.object({ id: z.string().max(200), title: z.string().max(1_024).optional() }))
    .max(50)
    .optional(),
})

export const sharedContent = z.object({
  /** `utc`, or the name of a time zone. */
  zone: z.string().min(1).max(64),
  containers: z.array(container).max(100),
  tiles: z.array(sharedTile).min(1).max(200),
})
export type SharedContent = z.output<typeof sharedContent>

/** A new link. Whoever has it reads exactly these queries. */
export const sharedLinkInput = z.object({
  name: givenName(200),
  days: z.int().min(1).max(maxLinkDays),
  range: sharedRange,
  /** Whether it keeps the results of now, and never reads again. */
  snapshot: z.boolean(),
  dashboardId: pathId.optional(),
  content: sharedContent,
})
export type SharedLinkInput = z.input<typeof sharedLinkInput>

export const sharedLinkParams = z.object({ connectionId: pathId, linkId: pathId })

export interface SharedLink {
  id: string
  name: string
  dashboardId?: string
  range: SharedRange
  snapshot: boolean
  /** The name of the person who created it. */
  creator: string
  createdAt: string
  expiresAt: string
  /** How often its page was opened. */
  views: number
  viewedAt?: string
  /** Why it shows nothing at present. */
  problem?: string
}

export interface CreatedLink extends SharedLink {
  /** Its address. Only its hash is stored, so it is not returned again. */
  url: string
  /** Charts and lists of a snapshot that could not be read. */
  unread: number
}

export const sharedViewInput = z.object({
  token: z.string().min(1).max(200),
  /** The page was opened just now. */
  opened: z.boolean().default(false),
})

/** A chart with what was read. */
export interface ViewedChart extends Pick<SharedChart, 'config' | 'units' | 'aggFns' | 'combinations' | 'notes'> {
  kind: 'chart'
  /** Epoch milliseconds. */
  span: { from: number; to: number }
  /** Milliseconds. */
  bucketMs: number
  /** `earlier` is by how many milliseconds it is of an earlier range. */
  requests: { first: number; earlier: number; series: { aggFn: string; groupBy: string[] }[] }[]
  /** One for each request. */
  answers: (ChartPoint | ChartRow)[][]
  /** The results of the range before. */
  before?: { span: { from: number; to: number }; answers: (ChartPoint | ChartRow)[][] }
}

/** A heatmap with what was read. */
export interface ViewedHeatmap extends Pick<SharedHeatmap, 'unit' | 'notes'> {
  kind: 'heatmap'
  /** Null where there are no values. Row `n` of the scale reaches from `edges[n]` to `edges[n + 1]`. */
  scale: { kind: SharedHeatmap['scale']; edges: number[]; hasLower: boolean } | null
  /** Epoch milliseconds. */
  span: { from: number; to: number }
  /** Milliseconds. */
  bucketMs: number
  /** For each row of the scale: the start of each bucket with values, and how many rows it has. */
  cells: [time: number, count: number][][]
}

/** The patterns of messages, the commonest first. */
export interface ViewedPatterns {
  kind: 'patterns'
  patterns: { pattern: string; count: number; levels: { level: string; count: number }[] }[]
  /** Messages of which they are made: the newest. */
  read: number
  /** Whether there are no others. */
  isAll: boolean
}

/** The rows of a Raw SQL tile. Its statement is not shown. */
export interface ViewedSql
  extends Pick<SharedSql, 'config' | 'notes'>, Pick<SqlResult, 'columns' | 'rows' | 'isTruncated'> {
  kind: 'sql'
  /** Epoch milliseconds. */
  span: { from: number; to: number }
  /** Milliseconds. */
  bucketMs: number
  /** Whether its buckets are those of the range. */
  usesInterval: boolean
}

export type ViewedContent =
  | ViewedChart
  | ViewedHeatmap
  | ViewedPatterns
  | ViewedSql
  | { kind: 'rows'; columns: SharedRows['columns']; rows: SearchRow[]; isAll: boolean }
  | z.output<typeof sharedText>
  | z.output<typeof sharedReason>

export type ViewedTile = Omit<SharedTile, 'content'> & { content: ViewedContent }

/** The view of a link. */
export interface SharedView {
  name: string
  zone: string
  range: { from: number; to: number }
  /** Whether the range ends when it was read. */
  isMoving: boolean
  isSnapshot: boolean
  readAt: string
  expiresAt: string
  /** Seconds until there is something newer. */
  refreshAfter: number
  containers: SharedContent['containers']
  tiles: ViewedTile[]
}
