/** Normalizes responses of chart queries, points or rows, to points with their groups. */
import type { ChartPoint, ChartQuery, ChartRow } from '#contract/stack/charts.ts'

const timeColumn = '__hdx_time_bucket'
const othersColumn = '__other_groups'
const readFromColumn = '__read_from'

/** The points; null if the response does not identify the groups. */
export function pointsOf(
  { series }: Pick<ChartQuery, 'series'>,
  answer: readonly (ChartPoint | ChartRow)[],
): ChartPoint[] | null {
  const groupBy = series[0]?.groupBy ?? []
  const points = answer.filter(isPoint)
  const rows = answer.filter((entry): entry is ChartRow => !isPoint(entry))
  if (rows.length > 0) return pointsOfRows(rows, groupBy)
  const isMissing =
    groupBy.length > 0 &&
    points.every(({ otherGroups }) => otherGroups === undefined) &&
    groupBy.some((_, at) => points.every(({ group }) => (group?.[at] ?? null) === null))
  return points.length > 0 && isMissing ? null : points
}

/** The roll-ups that most of an answer was read from; none where the deployment does not say. */
export const readFromOf = (points: readonly ChartPoint[]): string[] => points[0]?.readFrom ?? []

const isPoint = (entry: ChartPoint | ChartRow): entry is ChartPoint => 'ts_bucket' in entry

function pointsOfRows(rows: readonly ChartRow[], groupBy: readonly string[]): ChartPoint[] | null {
  const points = new Map<string, ChartPoint>()
  for (const row of rows) {
    const group = groupOf(row, groupBy)
    if (group === null) return null
    const time = Date.parse(row[timeColumn])
    const key = `${time} ${JSON.stringify(group)}`
    const others = row[othersColumn]
    const readFrom = row[readFromColumn]
    const point = points.get(key) ?? {
      ts_bucket: time,
      group,
      ...(others !== undefined && { otherGroups: others }),
      ...(readFrom && { readFrom }),
    }
    for (const [name, value] of Object.entries(row)) if (isSeries(name)) point[`${name}.data`] = value
    points.set(key, point)
  }
  return [...points.values()]
}

const isSeries = (name: string): boolean => /^series_\d+$/.test(name)

/** Columns that are neither values nor the time are groups, in the requested order; histograms have them in one array. */
function groupOf(row: ChartRow, groupBy: readonly string[]): unknown[] | null {
  if (row[othersColumn] !== undefined) return []
  const names = Object.keys(row).filter((name) => !isSeries(name) && name !== timeColumn && name !== readFromColumn)
  const [only = ''] = names
  const array = row[only]
  if (names.length === 1 && only === 'group' && Array.isArray(array) && array.length === groupBy.length) return array
  const distinct = [...new Set(groupBy)]
  if (names.length !== distinct.length) return null
  return groupBy.map((text) => row[names[distinct.indexOf(text)]!])
}
