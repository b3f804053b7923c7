import { chartStatements } from './shownStatement.ts'
import { StatementDialog } from './StatementDialog.tsx'
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'

interface ChartStatementProps {
  connectionId: string
  query: ChartQuery
  sources: readonly Source[]
  onClose: () => void
}

/** The SQL of a chart with one query. */
export function ChartStatement({ connectionId, query, sources, onClose }: ChartStatementProps) {
  return (
    <StatementDialog
      connectionId={connectionId}
      queryKey={[query]}
      read={(signal) => chartStatements(connectionId, query, sources, signal)}
      onClose={onClose}
    />
  )
}
