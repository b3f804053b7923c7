/** The largest groups of a result, and the sum of the others. */
import { group } from 'd3-array'
import { othersLineId, readLineId } from '#console/charting/series/seriesNames.ts'
import type { Series } from '#console/ui/series/series.ts'

interface Top {
  lines: Series[]
  /** Lines that are not drawn by themselves. */
  others: number
}

/**
 * The largest groups of each series of the query: comparisons have the groups of what they are compared with. The others
 * are one line where values add up.
 * @param top how many groups; 0 for all
 */
export function topGroups(lines: readonly Series[], top: number, addsUp: boolean): Top {
  const own = lines.filter(({ like }) => like === undefined)
  const kept = new Set([...bySeries(own).values()].flatMap((all) => largest(all, top)))
  if (top === 0 || kept.size === own.length) return { lines: [...lines], others: 0 }
  const others = own.length - kept.size
  const isKept = ({ id, like = id }: Series) => kept.has(like)
  const rest = addsUp ? [...bySeries(lines.filter((line) => !isKept(line))).values()].map(sumOf) : []
  return { lines: [...lines.filter(isKept), ...rest], others }
}

/** The groups of a deployment that ranked them, its others among them: comparisons have those groups too. */
export function rankedGroups(lines: readonly Series[], top: number): Top {
  const own = new Set(lines.flatMap(({ id, like }) => (like === undefined ? [id] : [])))
  return { lines: top === 0 ? [...lines] : lines.filter(({ like }) => like === undefined || own.has(like)), others: 0 }
}

/** Lines grouped by series of the query, and by period or deployment. */
function bySeries(lines: readonly Series[]): Map<string, Series[]> {
  return group(lines, ({ id, like = id, ghost, overlay }) =>
    [readLineId(like)?.series ?? like, ghost === true, overlay === true].join(),
  )
}

function largest(lines: readonly Series[], top: number): string[] {
  const total = ({ points }: Series) => points.reduce((sum, [, value]) => sum + Math.abs(value ?? 0), 0)
  const sizes = new Map(lines.map((line) => [line.id, total(line)]))
  const sorted = lines.toSorted((a, b) => (sizes.get(b.id) ?? 0) - (sizes.get(a.id) ?? 0))
  return sorted.slice(0, top).map(({ id }) => id)
}

/** One line with the sums of several of the same kind. */
function sumOf(lines: readonly Series[]): Series {
  const sums = new Map<number, number>()
  for (const [time, value] of lines.flatMap(({ points }) => points))
    if (value !== null) sums.set(time, (sums.get(time) ?? 0) + value)
  const [first] = lines
  const { ghost, overlay, unit, id = '', like = id, group, accumulates, labelSuffix } = first ?? {}
  const own = othersLineId(readLineId(like)?.series ?? '')
  const kind = ghost ? 'earlier' : overlay ? 'there' : ''
  return {
    id: kind ? `${own}/${kind}` : own,
    label: `${lines.length} others${labelSuffix ?? ''}`,
    colorName: 'others',
    points: [...sums].toSorted(([a], [b]) => a - b),
    ...(unit !== undefined && { unit }),
    ...(group !== undefined && { group }),
    ...(labelSuffix !== undefined && { labelSuffix }),
    ...(accumulates !== undefined && { accumulates }),
    ...(kind && { like: own, [ghost ? 'ghost' : 'overlay']: true }),
  }
}
