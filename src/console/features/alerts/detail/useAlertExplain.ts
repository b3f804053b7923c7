import { useMemo } from 'react'
import { useChartExplain, type ChartExplanation } from '#console/shell/explain/useChartExplain.ts'
import { useViewEvents } from '#console/shell/telemetry/useViewEvents.ts'
import { explainedChart } from '#console/telemetry/explain/explainedChart.ts'
import { useQueryConnection } from '#console/telemetry/queryConnection/useQueryConnection.ts'
import type { WatchedState } from '#console/telemetry/watched/useWatchedWindows.ts'
import type { Connection } from '#contract/connections.ts'

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
