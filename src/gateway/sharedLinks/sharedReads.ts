/**
 * The views of shared links. All viewers of a link get the same text: it is read once for each interval of time, from the
 * queries that are stored with the link and never from anything that a viewer sends.
 */
import { z } from 'zod'
import { charts, type ChartPoint, type ChartQuery, type ChartRow } from '#contract/stack/charts.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { search, type SearchRow } from '#contract/stack/search.ts'
import { sql } from '#contract/stack/sql.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import {
  messageNames,
  type SharedChart,
  type SharedContent,
  type SharedPatterns,
  type SharedRange,
  type SharedRows,
  type SharedView,
  type ViewedChart,
  type ViewedContent,
} from '#contract/console/sharedLinks.ts'
import { alignedRange, previousPeriodOffset, queryTimes, readsWholeBuckets } from '#domain/series/bucketAlignment.ts'
import { heatmapScale } from '#domain/series/heatmap.ts'
import { countedPatterns } from '#domain/text/countedPatterns.ts'
import type { Span } from '#domain/time/span.ts'
import { forEachConcurrently } from '#node/concurrency/concurrencyLimits.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { Operation } from '#node/upstream/operation.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { masked } from '#node/upstream/masks.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { ToolReads } from '../deploymentTools/toolReads.ts'
import { boundsQuery, countsQuery, viewedHeatmap, type Read } from './sharedHeatmaps.ts'
import { viewedSql, withinSize, type RunSql } from './sharedSql.ts'

const minute = 60_000
/** A range is read so often while it passes, but at least and at most once in these times, milliseconds. */
const intervals = { perRange: 360, least: minute, most: 15 * minute }
/** Seconds after which a page asks whether a link that reads nothing new is still valid. */
const validityCheck = 60
/** Statements of a view that are under way. */
const statementsAtATime = 2

/** A link, as far as reading it depends on it. */
interface ReadLink {
  id: string
  name: string
  range: SharedRange
  isSnapshot: boolean
  expiresAt: string
  content: SharedContent
}

/** Milliseconds for which the result of a range is shown before it is read again. */
export function intervalOf(range: SharedRange): number {
  const length = range.kind === 'moving' ? range.length : range.to - range.from
  return Math.min(intervals.most, Math.max(intervals.least, Math.ceil(length / intervals.perRange / minute) * minute))
}

/** The range at a time. A moving one ends where the last interval ended. */
export function spanAt(range: SharedRange, now: number): Span {
  if (range.kind === 'fixed') return { from: range.from, to: range.to }
  const to = Math.floor(now / intervalOf(range)) * intervalOf(range)
  return { from: to - range.length, to }
}

/** Reads all that a link shows. A chart that cannot be read says so; why may name what viewers must not know. */
export async function readSharedView(
  { deployments, toolReads }: { deployments: Deployments; toolReads: ToolReads },
  target: UpstreamTarget,
  { id, name, range, isSnapshot, expiresAt, content }: ReadLink,
  now: number,
): Promise<{ view: SharedView; unread: number }> {
  const span = spanAt(range, now)
  let unread = 0
  const operationOf = (endpoint: Endpoint, body: unknown): Operation => ({
    endpoint,
    path: upstreamPath(endpoint, target, {}),
    params: {},
    body: stringifyJson(body),
    priority: 'background',
    caller: `shared link ${id}`,
  })
  const read: Read = (endpoint, body) =>
    deployments.read(target, operationOf(endpoint, body)).then(({ result }) => masked(endpoint, result))
  const runSql: RunSql = (query, databaseId) =>
    toolReads.runSql(target, operationOf(sql.run, query), databaseId).then(({ result }) => masked(sql.run, result))
  const contents = await viewedContents(content, (tile) =>
    viewedContent(tile, span, { read, runSql }).catch((error: unknown): ViewedContent => {
      // Answers that cannot be read are part of the view as well: a view that fails would be read for each request.
      if (!(error instanceof ApiFailure || error instanceof z.ZodError)) throw error
      unread += 1
      return { kind: 'none', reason: reasonOf(error) }
    }),
  )
  const tiles = content.tiles.map((tile, at) => ({ ...tile, content: contents[at]! })) // as many as tiles
  const rest = intervalOf(range) - (now % intervalOf(range))
  const view: SharedView = {
    name,
    zone: content.zone,
    range: span,
    isMoving: range.kind === 'moving' && !isSnapshot,
    isSnapshot,
    readAt: new Date(now).toISOString(),
    expiresAt,
    refreshAfter: range.kind === 'moving' && !isSnapshot ? Math.ceil(rest / 1000) : validityCheck,
    containers: content.containers,
    tiles: withinSize(tiles),
  }
  return { view, unread }
}

/** The content of each tile. Those of Raw SQL are read a few at a time, because their answers may be large. */
async function viewedContents(
  { tiles }: SharedContent,
  view: (tile: StoredContent) => Promise<ViewedContent>,
): Promise<ViewedContent[]> {
  const viewed: ViewedContent[] = []
  const viewAt = async (at: number) => {
    viewed[at] = await view(tiles[at]!.content)
  }
  const isSql = (at: number) => tiles[at]?.content.kind === 'sql'
  const all = [...tiles.keys()]
  await Promise.all([
    ...all.filter((at) => !isSql(at)).map(viewAt),
    forEachConcurrently(statementsAtATime, all.filter(isSql), viewAt),
  ])
  return viewed
}

interface Reads {
  read: Read
  runSql: RunSql
}

type StoredContent = SharedContent['tiles'][number]['content']

function viewedContent(tile: StoredContent, span: Span, { read, runSql }: Reads) {
  if (tile.kind === 'chart') return viewedChart(tile, span, read)
  if (tile.kind === 'rows') return viewedRows(tile, span, read)
  if (tile.kind === 'patterns') return viewedPatterns(tile, span, read)
  if (tile.kind === 'heatmap') return viewedHeatmap(tile, span, read)
  if (tile.kind === 'sql') return viewedSql(tile, span, runSql)
  return Promise.resolve<ViewedContent>(tile)
}

async function viewedChart(chart: SharedChart, span: Span, read: Read): Promise<ViewedChart> {
  const { config, units, aggFns, combinations, notes } = chart
  const { requests, grid, before } = timedRequests(chart, span)
  const readAll = async (bodies: readonly ChartQuery[]) =>
    charts.query.result.array().parse(await Promise.all(bodies.map((body) => read(charts.query, body)))) as (
      | ChartPoint
      | ChartRow
    )[][] // lists of points, or of rows
  const answers = await readAll(requests.map(({ body }) => body))
  const previous = before && { span: before.span, answers: await readAll(before.bodies) }
  return {
    kind: 'chart',
    config,
    units,
    aggFns,
    combinations,
    notes,
    span: grid.span,
    bucketMs: grid.bucketMs,
    // Without conditions, fields and sources: viewers see what is drawn, and not how it is asked for.
    requests: requests.map(({ first, earlier, body }) => ({
      first,
      earlier,
      series: body.series.map(({ aggFn, groupBy = [] }) => ({ aggFn, groupBy })),
    })),
    answers,
    ...(previous && { before: previous }),
  }
}

/** Whichever it is, the query of the counts has as many buckets. */
const anyScale = heatmapScale('log', { low: 1, high: 2 })

/** The queries of a link for a span; null for each search and each statement. */
export function queriesOf({ tiles }: SharedContent, span: Span): (ChartQuery | null)[] {
  return tiles.flatMap(({ content: tile }) => {
    if (tile.kind === 'rows' || tile.kind === 'patterns' || tile.kind === 'sql') return [null]
    if (tile.kind === 'heatmap') return [boundsQuery(tile, span), countsQuery(tile, anyScale, span)]
    if (tile.kind !== 'chart') return []
    const { requests, before } = timedRequests(tile, span)
    return [...requests.map(({ body }) => body), ...(before?.bodies ?? [])]
  })
}

/** The queries of a chart for a span, as the dashboard would send them. */
function timedRequests({ alignment, requests, before }: SharedChart, span: Span) {
  const grid = alignedRange(alignment, span)
  const { granularity, timezone, bucketMs } = grid
  const compared = previousPeriodOffset(grid.span, bucketMs)
  const timed = requests.map(({ first, earlier: isEarlier, query }) => {
    const earlier = isEarlier ? compared : 0
    const body: ChartQuery = {
      ...query,
      ...queryTimes(grid, earlier),
      granularity,
      ...(timezone !== undefined && { timezone }),
      ...(isEarlier && query.topGroups !== undefined && { topGroupsRange: queryTimes(grid, 0) }),
    }
    return { first, earlier, body }
  })
  if (!before) return { grid, requests: timed }
  const wholeBuckets = readsWholeBuckets(requests.map(({ query }) => query))
  const offset = previousPeriodOffset(grid.span, wholeBuckets ? bucketMs : 1)
  const bodies = timed.map(({ body }) => ({
    ...body,
    startTime: body.startTime - offset,
    endTime: body.endTime - offset,
  }))
  return {
    grid,
    requests: timed,
    before: { span: { from: grid.span.from - offset, to: grid.span.to - offset }, bodies },
  }
}

async function viewedRows({ columns, search: query }: SharedRows, span: Span, read: Read): Promise<ViewedContent> {
  const rows = await rowsOf(query, span, read)
  return { kind: 'rows', columns, rows, isAll: rows.length < query.maxResults }
}

async function viewedPatterns({ search: query }: SharedPatterns, span: Span, read: Read): Promise<ViewedContent> {
  const rows = await rowsOf(query, span, read)
  const found = countedPatterns(
    rows.map((row) => ({ text: textOf(row[messageNames.text]), level: textOf(row[messageNames.level]) })),
  )
  const patterns = found.map(({ pattern, count, levels }) => ({ pattern, count, levels }))
  return { kind: 'patterns', patterns, read: rows.length, isAll: rows.length < query.maxResults }
}

async function rowsOf(query: SharedRows['search'], span: Span, read: Read): Promise<SearchRow[]> {
  const times = { startTime: new Date(span.from).toISOString(), endTime: new Date(span.to).toISOString() }
  return search.query.result.parse(await read(search.query, { ...query, ...times, offset: 0 })).data
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? stringifyJson(value) : String(value)
}

function reasonOf(error: ApiFailure | z.ZodError): string {
  const code = error instanceof ApiFailure ? error.error.code : 'malformedReply'
  if (code === 'rateLimited') return 'It could not be read in time, because many others read at the moment.'
  if (code === 'notOffered') return 'The deployment has no such query.'
  if (code === 'blocked' || code === 'forbidden') return 'It may not be read any more.'
  if (code === 'invalid' || code === 'notFound') return 'The deployment refused the query.'
  if (code === 'malformedReply') return 'The deployment answered with something unexpected.'
  if (code === 'upstreamFailed') return 'The deployment failed. Its operators can see why.'
  return 'The deployment did not answer.'
}
