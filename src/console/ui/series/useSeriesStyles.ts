import { useMemo, useState } from 'react'
import type { SeriesStyle } from './palette.ts'
import type { Series } from './series.ts'
import { assignStyles, styleAt } from './seriesStyles.ts'

/** Points of a line beyond which it is solid: dashes are not visible there, and slow to paint. */
const maxDashed = 240

/** Colour and dash of each series, by id. A series keeps its style when the data changes. */
export function useSeriesStyles(series: readonly Series[], points: number): ReadonlyMap<string, SeriesStyle> {
  const dashed = points <= maxDashed
  const indexes = useStyleIndexes(series, dashed)
  return useMemo(() => new Map([...indexes].map(([id, index]) => [id, styleAt(index, dashed)])), [indexes, dashed])
}

function useStyleIndexes(series: readonly Series[], dashed: boolean): ReadonlyMap<string, number> {
  const assign = (before: ReadonlyMap<string, number>) => ({
    series,
    dashed,
    indexes: styleIndexesOf(series, before, dashed),
  })
  const [assigned, setAssigned] = useState(() => assign(new Map()))
  if (assigned.dashed !== dashed) setAssigned(assign(new Map()))
  else if (assigned.series !== series) setAssigned(assign(assigned.indexes))
  return assigned.indexes
}

/** A series that is like another has the other's style, where both are shown. */
function styleIndexesOf(
  series: readonly Series[],
  before: ReadonlyMap<string, number>,
  dashed: boolean,
): Map<string, number> {
  const ids = new Set(series.map(({ id }) => id))
  const likes = series.filter(({ like }) => like !== undefined && ids.has(like))
  const others = series.filter((one) => !likes.includes(one))
  const named = others.map(({ id, label, colorName = label }) => ({ id, name: colorName }))
  const indexes = assignStyles(named, { before, dashed })
  for (const { id, like } of likes) indexes.set(id, indexes.get(like ?? '') ?? 0)
  return indexes
}
