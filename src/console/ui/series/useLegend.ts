import { useMemo, useState } from 'react'
import type { LegendRow } from './legend.ts'
import type { LegendActions } from './LegendButton.tsx'
import { defaultStyle, type SeriesStyle } from './palette.ts'
import type { Series } from './series.ts'
import type { Stats } from './stats.ts'

interface LegendState {
  rows: LegendRow[]
  /** Series that are drawn: not hidden, and within the limit. */
  drawnIds: ReadonlySet<string>
  actions: LegendActions
}

/** The legend of these series, and which of them are drawn. */
export function useLegend(
  series: readonly Series[],
  stats: ReadonlyMap<string, Stats>,
  styles: ReadonlyMap<string, SeriesStyle>,
): LegendState {
  const [selection, setSelection] = useState(allVisible)
  const drawnIds = useMemo(() => {
    const shown = series.map(({ id }) => id).filter((id) => !selection.hidden.has(id))
    return withinLimit(shown, stats, selection.kept)
  }, [series, selection, stats])
  const rows = series.map((one) => {
    const hidden = selection.hidden.has(one.id)
    const style = styles.get(one.id) ?? defaultStyle
    return { series: one, style, stats: stats.get(one.id), hidden, overLimit: !hidden && !drawnIds.has(one.id) }
  })
  const ids = series.map(({ id }) => id)
  const actions = {
    onIsolate: (id: string) => setSelection((before) => isolate(before, id, ids)),
    onToggle: (id: string) => setSelection((before) => toggle(before, id)),
  }
  return { rows, drawnIds, actions }
}

/** Maximum number of drawn series: more are slow and cannot be distinguished. */
export const maxSeries = 100

/** Ids that the user hid, and ids drawn although they are over the limit. */
interface LegendSelection {
  hidden: ReadonlySet<string>
  kept: ReadonlySet<string>
}

export const allVisible: LegendSelection = { hidden: new Set(), kept: new Set() }

/** The ids within the limit: those that the user kept, then those with the highest values. */
export function withinLimit(
  ids: readonly string[],
  stats: ReadonlyMap<string, Stats>,
  kept: ReadonlySet<string>,
  limit = maxSeries,
): ReadonlySet<string> {
  if (ids.length <= limit) return new Set(ids)
  const size = (id: string) => (kept.has(id) ? Infinity : Math.abs(stats.get(id)?.max ?? -Infinity))
  const ranked = ids.toSorted((a, b) => size(b) - size(a))
  return new Set(ranked.slice(0, limit))
}

/** A click shows only this series; on the only one shown, all series. */
export function isolate(selection: LegendSelection, id: string, ids: readonly string[]): LegendSelection {
  const shown = ids.filter((other) => !selection.hidden.has(other))
  if (shown.length === 1 && shown[0] === id) return allVisible
  return { hidden: new Set(ids.filter((other) => other !== id)), kept: new Set([id]) }
}

/** A click with Ctrl or Cmd shows or hides this series. */
export function toggle(selection: LegendSelection, id: string): LegendSelection {
  const hidden = new Set(selection.hidden)
  const kept = new Set(selection.kept)
  if (hidden.delete(id)) kept.add(id)
  else hidden.add(id)
  return { hidden, kept }
}
