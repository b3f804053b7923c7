import { chartStatements } from '#console/shell/telemetry/statement/shownStatement.ts'
import { StatementDialog } from '#console/shell/telemetry/statement/StatementDialog.tsx'
import type { ChartQuery } from '#contract/charts.ts'
import type { Source } from '#contract/sources.ts'

interface ExplorerStatementProps {
  connectionId: string
  query: ChartQuery
  sources: readonly Source[]
  onClose: () => void
}

/** The SQL of the explorer's chart. */
export function ExplorerStatement({ connectionId, query, sources, onClose }: ExplorerStatementProps) {
  return (
    <StatementDialog
      connectionId={connectionId}
      queryKey={[query]}
      read={(signal) => chartStatements(connectionId, query, sources, signal)}
      onClose={onClose}
    />
  )
}
