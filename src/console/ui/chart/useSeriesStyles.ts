import { useMemo, useState } from 'react'
import type { SeriesStyle } from './palette.ts'
import type { Series } from './series.ts'
import { assignLooks, lookStyle } from './seriesStyles.ts'

/** Points of a line beyond which dashes are left out: nobody sees them there, and painting them is slow. */
const maxDashed = 240

/** Colour and dash of each series, by id. Series that were there keep theirs from answer to answer. */
export function useSeriesStyles(series: readonly Series[], points: number): ReadonlyMap<string, SeriesStyle> {
  const dashed = points <= maxDashed
  const looks = useLooks(series, dashed)
  return useMemo(() => new Map([...looks].map(([id, look]) => [id, lookStyle(look, dashed)])), [looks, dashed])
}

function useLooks(series: readonly Series[], dashed: boolean): ReadonlyMap<string, number> {
  const assign = (before: ReadonlyMap<string, number>) => ({ series, dashed, looks: looksOf(series, before, dashed) })
  const [assigned, setAssigned] = useState(() => assign(new Map()))
  if (assigned.dashed !== dashed) setAssigned(assign(new Map()))
  else if (assigned.series !== series) setAssigned(assign(assigned.looks))
  return assigned.looks
}

/** A series that is like another takes the other's look, where that one is there. */
function looksOf(series: readonly Series[], before: ReadonlyMap<string, number>, dashed: boolean): Map<string, number> {
  const ids = new Set(series.map(({ id }) => id))
  const likes = series.filter(({ like }) => like !== undefined && ids.has(like))
  const others = series.filter((one) => !likes.includes(one))
  const named = others.map(({ id, label, colorName = label }) => ({ id, name: colorName }))
  const looks = assignLooks(named, { before, dashed })
  for (const { id, like } of likes) looks.set(id, looks.get(like ?? '') ?? 0)
  return looks
}
