/** Which series are drawn, and what the legend's clicks mean. */
import type { Stats } from './stats.ts'

/** More lines than this tell nothing and cost a lot. */
export const maxDrawn = 100

/** Ids hidden by hand, and ids kept although they rank beyond the limit. */
export interface LegendChoice {
  hidden: ReadonlySet<string>
  kept: ReadonlySet<string>
}

export const everySeries: LegendChoice = { hidden: new Set(), kept: new Set() }

/** Ids in their order that are within the limit: the largest by highest value, and those that were kept by hand. */
export function withinLimit(
  ids: readonly string[],
  stats: ReadonlyMap<string, Stats>,
  kept: ReadonlySet<string>,
  limit = maxDrawn,
): ReadonlySet<string> {
  if (ids.length <= limit) return new Set(ids)
  const size = (id: string) => (kept.has(id) ? Infinity : Math.abs(stats.get(id)?.max ?? -Infinity))
  const ranked = ids.toSorted((a, b) => size(b) - size(a))
  return new Set(ranked.slice(0, limit))
}

/** A click: only this series; on the only one left: all again. */
export function isolate(choice: LegendChoice, id: string, ids: readonly string[]): LegendChoice {
  const shown = ids.filter((one) => !choice.hidden.has(one))
  if (shown.length === 1 && shown[0] === id) return everySeries
  return { hidden: new Set(ids.filter((one) => one !== id)), kept: new Set([id]) }
}

/** A click with Ctrl or Cmd: this series on or off. */
export function toggle(choice: LegendChoice, id: string): LegendChoice {
  const hidden = new Set(choice.hidden)
  const kept = new Set(choice.kept)
  if (hidden.delete(id)) kept.add(id)
  else hidden.add(id)
  return { hidden, kept }
}
