/** Which series are drawn, and what clicks in the legend change. */
import type { Stats } from './stats.ts'

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
  const shown = ids.filter((one) => !selection.hidden.has(one))
  if (shown.length === 1 && shown[0] === id) return allVisible
  return { hidden: new Set(ids.filter((one) => one !== id)), kept: new Set([id]) }
}

/** A click with Ctrl or Cmd shows or hides this series. */
export function toggle(selection: LegendSelection, id: string): LegendSelection {
  const hidden = new Set(selection.hidden)
  const kept = new Set(selection.kept)
  if (hidden.delete(id)) kept.add(id)
  else hidden.add(id)
  return { hidden, kept }
}
