/** Takes the picture of a dashboard from the answers that its tiles have, and keeps it for the lists of dashboards. */
import { queryClient } from '#console/api/queryClient.ts'
import { keepPicture, type Shape } from '#console/charting/thumbnail/pictures.ts'
import { tileLines, tileTotal, type TileLine } from '#console/charting/tiles/tileData.ts'
import { isTotal, planTile } from '#console/charting/tiles/tileQuery.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { outlineOf } from '#domain/dashboards/outline.ts'
import type { TileData } from '../model/dataScope.ts'
import { tileQueryOptions } from './tiles/useTileData.ts'

/** Points of a line, columns, lines of a tile, and bars. */
const most = { points: 48, columns: 24, lines: 4, bars: 6 }

type Pictured = Pick<TileData, 'connectionId' | 'scope' | 'sources'>

/** Does nothing while no tile has an answer. */
export function takePicture(connectionId: string, dashboard: Dashboard, data: Pictured): void {
  const configs = new Map(dashboard.tiles.map(({ id, config }) => [id, config]))
  const tiles = outlineOf(dashboard).map(({ id, ...place }) => ({ ...place, shape: shapeOf(configs.get(id), data) }))
  if (tiles.some(({ shape }) => shape.kind !== 'plain')) keepPicture(connectionId, dashboard.id, { tiles })
}

function shapeOf(config: TileConfig | undefined, { connectionId, scope, sources }: Pictured): Shape {
  // Only the bounds of a heatmap are known here.
  const plan = config && scope && config.displayType !== 'heatmap' && planTile(config, scope)
  if (!plan || plan.kind !== 'query' || connectionId === null) return { kind: 'plain' }
  const answers = queryClient.getQueryData(tileQueryOptions(connectionId, plan, sources).queryKey)
  if (!answers) return { kind: 'plain' }
  if (isTotal(config) && config.displayType !== 'number') {
    const { rows } = tileTotal(config, answers.plan, answers.points, plan.span)
    return { kind: 'bars', values: shares(rows.slice(0, most.bars).map(({ values }) => Math.abs(values[0] ?? 0))) }
  }
  const lines = tileLines(config, answers.plan, answers.points)
  if (config.displayType === 'stacked_bar') return { kind: 'columns', values: shares(sumsOf(lines, most.columns)) }
  return { kind: 'lines', lines: linesOf(lines) }
}

/** The largest lines, on one scale. */
function linesOf(lines: readonly TileLine[]): (number | null)[][] {
  const sizeOf = ({ points }: TileLine) => points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)
  const largest = lines.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, most.lines)
  const reduced = largest.map(({ points }) => peaksOf(points.map(([, value]) => value)))
  const highest = Math.max(...reduced.flat().map((value) => value ?? 0))
  return reduced.map((values) => values.map((value) => (value === null ? null : shareOf(value, highest))))
}

/** The highest value of each of some parts of equal length. */
function peaksOf(values: readonly (number | null)[]): (number | null)[] {
  const size = Math.ceil(values.length / most.points)
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => {
    const known = values.slice(at * size, (at + 1) * size).filter((value) => value !== null)
    return known.length > 0 ? Math.max(...known) : null
  })
}

/** The sum of all lines in each of some parts of the time. */
function sumsOf(lines: readonly TileLine[], count: number): number[] {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(([time]) => time)))].toSorted((a, b) => a - b)
  const place = new Map(times.map((time, at) => [time, Math.floor((at * count) / times.length)]))
  const sums = Array.from<number>({ length: Math.min(count, times.length) }).fill(0)
  for (const { points } of lines) {
    for (const [time, value] of points) {
      const at = Math.min(place.get(time) ?? 0, sums.length - 1)
      sums[at] = (sums[at] ?? 0) + (value ?? 0)
    }
  }
  return sums
}

const shares = (values: readonly number[]): number[] => {
  const highest = Math.max(...values)
  return values.map((value) => shareOf(value, highest))
}

/** 0 to 1, with three digits. */
const shareOf = (value: number, highest: number): number =>
  highest > 0 && Number.isFinite(value) ? Math.round(1000 * Math.min(Math.max(value / highest, 0), 1)) / 1000 : 0
