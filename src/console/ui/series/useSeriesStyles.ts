import { createContext, use, useMemo, useState } from 'react'
import type { SeriesStyle } from './palette.ts'
import type { Series } from './series.ts'
import { assignStyles, isHue, keptStyles, styleAt, type StyleIndex } from './seriesStyles.ts'

/** The hue of each name in the charts of one page, such as the tiles of a dashboard. */
export type SharedHues = Map<string, StyleIndex>

/** Charts within one provider give a name the same hue, where it is free. */
export const SharedHuesContext = createContext<SharedHues | null>(null)

/** Colour and dash of each series, by id. A series keeps its style when the data changes, and when it comes back. */
export function useSeriesStyles(series: readonly Series[], dashed: boolean): ReadonlyMap<string, SeriesStyle> {
  const indexes = useStyleIndexes(series, dashed)
  return useMemo(() => new Map([...indexes].map(([id, index]) => [id, styleAt(index, dashed)])), [indexes, dashed])
}

function useStyleIndexes(series: readonly Series[], dashed: boolean): ReadonlyMap<string, StyleIndex> {
  const shared = use(SharedHuesContext)
  const assign = (before: ReadonlyMap<string, StyleIndex>) => {
    const indexes = styleIndexesOf(series, { before, shared, dashed })
    return { series, dashed, indexes, kept: keptStyles(indexes, before) }
  }
  const [assigned, setAssigned] = useState(() => assign(new Map()))
  if (assigned.dashed !== dashed || assigned.series !== series) setAssigned(assign(assigned.kept))
  return assigned.indexes
}

interface Known {
  before: ReadonlyMap<string, StyleIndex>
  shared: SharedHues | null
  dashed: boolean
}

/** A series that is like another has the other's style, where both are shown. */
function styleIndexesOf(series: readonly Series[], { before, shared, dashed }: Known): Map<string, StyleIndex> {
  const ids = new Set(series.map(({ id }) => id))
  const likes = new Set(series.filter(({ like }) => like !== undefined && ids.has(like)))
  const others = series.filter((one) => !likes.has(one))
  const inOrder = others.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  const named = inOrder.map(({ id, label, colorName = label }) => ({ id, name: colorName }))
  const indexes = assignStyles(named, { before, ...(shared && { elsewhere: shared }), dashed })
  if (shared) shareHues(shared, named, indexes)
  for (const { id, like } of likes) indexes.set(id, indexes.get(like ?? '') ?? 0)
  return indexes
}

/** Remembers the hues of names that have none yet. To repeat it changes nothing, so it may be done while rendering. */
export function shareHues(
  shared: SharedHues,
  named: readonly { id: string; name: string }[],
  styles: ReadonlyMap<string, StyleIndex>,
): void {
  for (const { id, name } of named) {
    const style = styles.get(id)
    if (style !== undefined && isHue(style) && !shared.has(name)) shared.set(name, style)
  }
}
