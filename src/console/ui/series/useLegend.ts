import { useMemo, useState } from 'react'
import type { LegendRow } from './legend.ts'
import type { LegendActions } from './LegendButton.tsx'
import { allVisible, isolate, toggle, withinLimit } from './legendSelection.ts'
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
