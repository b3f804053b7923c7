/** The heatmaps of shared links: first the bounds of the values are read, then how many rows are in each cell. */
import { charts, type ChartPoint, type ChartQuery } from '#contract/stack/charts.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { isLossless } from '#contract/wire/lossyNumbers.ts'
import type { SharedHeatmap, ViewedContent } from '#contract/console/sharedLinks.ts'
import { alignedRange, queryTimes } from '#domain/series/bucketAlignment.ts'
import { pointsOf } from '#domain/series/chartResponse.ts'
import { heatmapCells, heatmapScale, placeInScale, type Bounds, type HeatmapScale } from '#domain/series/heatmap.ts'
import type { Span } from '#domain/time/span.ts'
import { failure } from '#node/upstream/apiFailure.ts'

/** Reads from the deployment of a link. */
export type Read = (endpoint: Endpoint, body: unknown) => Promise<unknown>

/** The query of the bounds for a span. */
export const boundsQuery = ({ bounds }: SharedHeatmap, span: Span): ChartQuery => withSpan(bounds, span).body

/** The query of the counts for a span, by the place of each value in the scale. */
export function countsQuery({ counts, value }: SharedHeatmap, scale: HeatmapScale, span: Span): ChartQuery {
  const { body } = withSpan(counts, span)
  const groupBy = [`toString(${placeInScale(value, scale)})`]
  return { ...body, series: body.series.map((one) => ({ ...one, groupBy })) }
}

export async function viewedHeatmap(heatmap: SharedHeatmap, span: Span, read: Read): Promise<ViewedContent> {
  const { scale: kind, unit, notes, counts } = heatmap
  const { grid } = withSpan(counts, span)
  const shown = { kind: 'heatmap' as const, unit, notes, span: grid.span, bucketMs: grid.bucketMs }
  const bounds = boundsIn(await pointsFor(boundsQuery(heatmap, span), read))
  if (!bounds) return { ...shown, scale: null, cells: [] }
  const scale = heatmapScale(kind, bounds)
  const points = await pointsFor(countsQuery(heatmap, scale, span), read)
  if (!points) return { kind: 'none', reason: 'The deployment returned values without their groups.' }
  const cells = heatmapCells(points, scale.edges.length - 1)
  return { ...shown, scale, cells: cells.map((row) => [...row]) }
}

function withSpan({ alignment, query }: SharedHeatmap['bounds'], span: Span) {
  const grid = alignedRange(alignment, span)
  const { granularity, timezone } = grid
  const body: ChartQuery = {
    ...query,
    ...queryTimes(grid, 0),
    granularity,
    ...(timezone !== undefined && { timezone }),
  }
  return { grid, body }
}

/** Null where the groups of an answer are not known. */
async function pointsFor(body: ChartQuery, read: Read): Promise<ChartPoint[] | null> {
  const found = charts.query.result.safeParse(await read(charts.query, body))
  if (!found.success) throw failure('malformedReply', 'The deployment’s response does not match the API.')
  return pointsOf(body, found.data)
}

/** The least of the first series and the greatest of the second; null without values. */
function boundsIn(points: readonly ChartPoint[] | null): Bounds | null {
  const numbers = (name: string) =>
    (points ?? []).flatMap(({ [name]: value }) => {
      const number = isLossless(value) ? Number(value.value) : Number(value ?? Number.NaN)
      return value === null || value === '' || Number.isNaN(number) ? [] : [number]
    })
  const [lows, highs] = [numbers('series_0.data'), numbers('series_1.data')]
  return lows.length > 0 && highs.length > 0 ? { low: Math.min(...lows), high: Math.max(...highs) } : null
}
