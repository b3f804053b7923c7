import { useMemo } from 'react'
import { useChartExplain, type ChartExplanation } from '#console/charting/explain/useChartExplain.ts'
import { useViewEvents } from '#console/charting/search/useViewEvents.ts'
import { explainedChart } from '#console/charting/explain/explainedChart.ts'
import { useQueryConnection } from '#console/charting/queryConnection/useQueryConnection.ts'
import type { WatchedState } from '#console/charting/watched/useWatchedWindows.ts'
import type { Connection } from '#contract/console/connections.ts'

interface AlertExplanation {
  explanation: ChartExplanation
  /** The connection whose rows are read; null if none has them. */
  answeringId: string | null
}

/** "Explain this" of the chart of an alert. Values open the search, because an alert is not changed on the way. */
export function useAlertExplain(connection: Connection, watched: WatchedState, name: string): AlertExplanation {
  const { connectionId, answering: sources } = useQueryConnection(connection)
  const { problem: noSearch } = useViewEvents(connectionId, 'local')
  const query = watched.kind === 'read' ? watched.request.query : undefined
  const chart = useMemo(
    () => query && explainedChart({ queries: [query], labels: [name], sources, noSearch }),
    [query, name, sources, noSearch],
  )
  return { explanation: useChartExplain(chart), answeringId: connectionId }
}
