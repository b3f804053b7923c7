import { searchStatements } from '#console/charting/statement/shownStatement.ts'
import { StatementDialog } from '#console/charting/statement/StatementDialog.tsx'
import { resolveRange } from '#console/ui/time/range.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { SearchState } from './query/state.ts'
import { firstPage, rowsQueryOf } from './query/useSearchRows.ts'

interface SearchStatementProps {
  connectionId: string
  state: SearchState
  source: Source
  onClose: () => void
}

/** The SQL of the first rows of a search. */
export function SearchStatement({ connectionId, state, source, onClose }: SearchStatementProps) {
  const { q, lang, cols, order, from, to, tz } = state
  return (
    <StatementDialog
      connectionId={connectionId}
      queryKey={['search', source.id, q, lang, cols, order, from, to, tz]}
      read={(signal) => {
        const span = resolveRange({ from, to }, { now: Date.now(), zone: tz })
        if ('problem' in span) throw new RangeError(span.problem)
        const query = { ...rowsQueryOf(state, source), span, maxResults: firstPage }
        return searchStatements(connectionId, source, query, signal)
      }}
      onClose={onClose}
    />
  )
}
