import { Rows3 } from 'lucide-react'
import { useViewEvents } from '#console/shell/telemetry/useViewEvents.ts'
import { lineId } from '#console/telemetry/lineId.ts'
import { distinctSeries, tileEvents } from '#console/telemetry/search/tileEvents.ts'
import { planTile, type TileConfig } from '#console/telemetry/tileQuery.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { absoluteRange } from '#console/ui/time/range.ts'
import type { TileData } from '../model/dataScope.ts'

/** The ways from a tile to its events: one for each condition of its series. Planned when the menu opens. */
export function useTileEvents(config: TileConfig | undefined, data: TileData): () => Action[] {
  const { problem, open } = useViewEvents(data.connectionId, data.zone)
  const disabled = (reason: string): Action[] => [{ ...viewEvents, run: () => {}, disabled: reason }]
  return () => {
    const reason = data.reason ?? problem
    if (reason !== undefined) return disabled(reason)
    if (!data.scope) return disabled('The sources are still loading.')
    if (config?.configType === 'sql') return disabled('A Raw SQL tile has no condition to search for.')
    const plan = planTile(config, data.scope)
    if (plan.kind !== 'query') return disabled(plan.kind === 'none' ? plan.reason : 'This tile has no query.')
    const range = absoluteRange(data.scope.span)
    const series = distinctSeries(plan)
    return series.map(({ index, where }) => {
      const link = tileEvents(plan, index === 0 ? null : lineId(index, []), range, data.sources)
      const label = series.length > 1 ? `View events of ${where || 'all rows'}` : viewEvents.label
      return { ...viewEvents, label, run: () => open(link), disabled: link.problem }
    })
  }
}

const viewEvents = { label: 'View events', icon: Rows3 }
