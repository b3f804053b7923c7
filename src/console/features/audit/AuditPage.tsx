import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { auditQuery, auditVerificationQuery, exportAudit } from '#console/api/gateway/audit.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { useUrlState } from '#console/shell/urlState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { download } from '#console/ui/download.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { counted } from '#domain/text/words.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { auditState, filterOf } from './auditState.ts'
import { AuditTable } from './AuditTable.tsx'
import * as css from './audit.module.css'

export function prefetch(): void {
  void queryClient.prefetchQuery(auditVerificationQuery)
}

/** The audit log of this console: each action with its author, IP address and outcome. */
export default function AuditPage() {
  const [state, setUrl] = useUrlState(auditState)
  const [exporting, setExporting] = useState(false)
  // A moment of its own, so that the filter does not change with every drawing.
  const [now] = useState(() => Date.now())
  const filter = filterOf(state, now)
  const query = useInfiniteQuery(auditQuery(filter))
  const { data, error, refetch } = query
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '')
  const saveLines = async () => {
    setExporting(true)
    try {
      download('audit.jsonl', 'application/x-ndjson', await exportAudit(filter))
    } catch (failure) {
      toastFailure(failure)
    }
    setExporting(false)
  }
  return (
    <Page
      title="Audit"
      lead="Every action of this console, entered before it begins and again with its outcome. Entries are never changed."
      state={<ChainState />}
      actions={
        <Button startIcon={<Download size={14} aria-hidden />} loading={exporting} onClick={() => void saveLines()}>
          JSON lines
        </Button>
      }
    >
      <Panel flush>
        <div className={css.filters}>
          <AuditFilters state={state} areas={data?.pages[0]?.areas ?? []} onChange={setUrl} />
        </div>
        {error && <QueryError error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingPanels heights={[240]} />}
        {data && entries.length === 0 && (
          <EmptyState title={isFiltered ? 'No matches' : 'No entries yet'}>
            {isFiltered ? 'No entry fits these filters.' : 'Sign-ins, changes and runs appear here.'}
          </EmptyState>
        )}
        {entries.length > 0 && (
          <AuditTable entries={entries} open={state.entry} onOpen={(entry) => setUrl({ entry })} />
        )}
        {query.hasNextPage && (
          <div className={css.more}>
            <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show earlier entries
            </Button>
          </div>
        )}
      </Panel>
    </Page>
  )
}

/** Whether the entries are as they were written. */
function ChainState() {
  const { data, error } = useQuery(auditVerificationQuery)
  if (error) return <StatusChip tone="warn">not verified</StatusChip>
  if (!data) return null
  const { entries, head, fault } = data
  if (fault) {
    return (
      <>
        <StatusChip tone="bad">chain broken</StatusChip>
        <span className={css.chain}>
          Entry {fault.seq}: {fault.problem}
        </span>
      </>
    )
  }
  return (
    <>
      <StatusChip tone="ok">chain verified</StatusChip>
      <span className={css.chain} title={head ?? undefined}>
        {counted(entries, 'entry')}
        {head !== null && <code>{` ${head.slice(0, 4)}…${head.slice(-4)}`}</code>}
      </span>
    </>
  )
}
