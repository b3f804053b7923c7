import { useMemo, useState } from 'react'
import { assignSlots, type SeriesStyle, slotStyle } from './palette.ts'
import type { Series } from './series.ts'

/** Points of a line beyond which dashes are left out. */
const maxDashed = 240

/** Colour and dash of each series, by id. Series that were there keep theirs from answer to answer. */
export function useSeriesStyles(series: readonly Series[], points: number): ReadonlyMap<string, SeriesStyle> {
  const slots = useSlots(series)
  const dashed = points <= maxDashed
  return useMemo(() => new Map([...slots].map(([id, slot]) => [id, slotStyle(slot, dashed)])), [slots, dashed])
}

function useSlots(series: readonly Series[]): ReadonlyMap<string, number> {
  const assign = (before: ReadonlyMap<string, number>) => ({ series, slots: slotsOf(series, before) })
  const [assigned, setAssigned] = useState(() => assign(new Map()))
  if (assigned.series !== series) setAssigned(assign(assigned.slots))
  return assigned.slots
}

/** Places in the palette. A series that is like another takes the other's, where that one is there. */
function slotsOf(series: readonly Series[], before: ReadonlyMap<string, number>): Map<string, number> {
  const ids = new Set(series.map(({ id }) => id))
  const likes = series.filter(({ like }) => like !== undefined && ids.has(like))
  for (const { id } of likes) ids.delete(id)
  const slots = assignSlots([...ids], before)
  for (const { id, like } of likes) slots.set(id, slots.get(like ?? '') ?? 0)
  return slots
}
