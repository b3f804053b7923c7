import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery, type QueryKey } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SquareTerminal } from 'lucide-react'
import { useId } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { asFailure } from '#console/api/failure.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Progress } from '#console/ui/base/Progress.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { CodeField } from '#console/ui/code/CodeField.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { sql } from '#contract/stack/sql.ts'
import type { ShownStatement } from './shownStatement.ts'
import * as css from '../charting.module.css'

interface StatementDialogProps {
  /** The connection that answers the chart or search. */
  connectionId: string
  /** Identifies the query, so that an equal one is sent once. */
  queryKey: QueryKey
  read: (signal: AbortSignal) => Promise<ShownStatement[]>
  onClose: () => void
}

/** The SQL of a chart or search, to copy or to open on the SQL page. */
export function StatementDialog({ connectionId, queryKey, read, onClose }: StatementDialogProps) {
  const id = useId()
  const { data, error, refetch } = useQuery({
    queryKey: [connectionId, 'statements', ...queryKey],
    queryFn: ({ signal }) => read(signal),
    retry: false,
  })
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id}>SQL</DialogTitle>
      <DialogContent className={css.statements}>
        {data?.some(({ isDraft }) => isDraft) && <DraftNotice drafts={data} />}
        {data?.map((shown) =>
          shown.problem === undefined ? (
            <Statement key={shown.title} connectionId={connectionId} shown={shown} />
          ) : (
            <NoDraft key={shown.title} title={shown.title} problem={shown.problem} />
          ),
        )}
        {error && <QueryError error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Progress aria-label="Reading the SQL" />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function DraftNotice({ drafts }: { drafts: readonly ShownStatement[] }) {
  return drafts.some(({ problem }) => problem === undefined) ? (
    <Notice tone="warning">
      Draft: written by the console; the deployment’s own statement may differ. Its API does not tell the SQL of charts
      and searches.
    </Notice>
  ) : (
    <Notice tone="info">
      This deployment’s API does not tell the SQL of its charts and searches. The console writes a draft only where it
      finds the same.
    </Notice>
  )
}

function NoDraft({ title, problem }: { title: string; problem: string }) {
  return (
    <section aria-label={title} className={css.statement}>
      <Text variant="h3" component="h3">
        {title}
      </Text>
      <Text>{problem}</Text>
    </section>
  )
}

const noSql = 'This deployment’s API runs no SQL. Copy the draft to a client of its database.'

/** Why the page SQL runs no statement of a connection, as far as it is known. */
function useSqlRefusal(connectionId: string, isDraft = false): string | undefined {
  const { data: connections } = useQuery(connectionsQuery)
  // A deployment that tells its SQL runs SQL. Others are asked, as the page SQL asks them.
  const { error } = useQuery({ ...q(connectionId, sql.tables, {}), enabled: isDraft, retry: false })
  const refused = connections?.find((connection) => connection.id === connectionId)?.sqlRefused
  if (refused !== undefined || !error) return refused
  return ['notOffered', 'notFound'].includes(asFailure(error).code) ? noSql : undefined
}

function Statement({ connectionId, shown }: { connectionId: string; shown: ShownStatement }) {
  const navigate = useNavigate()
  const unavailable = useSqlRefusal(connectionId, shown.isDraft)
  const { statement, title, note, refused = unavailable } = shown
  const open = async () => {
    // Loaded apart: the SQL page has it too, and is drawn without what dialogs need.
    const { keepDraft } = await import('#console/charting/sqlDraft.ts')
    keepDraft(connectionId, statement)
    await navigate({ to: paths.sql(connectionId) })
  }
  return (
    <section aria-label={title} className={css.statement}>
      <div className={css.statementHead}>
        <Text variant="h3" component="h3">
          {title}
        </Text>
        <div className={css.statementActions}>
          <CopyButton label="Copy" text={statement} />
          <DisabledReason reason={refused}>
            <Button
              disabled={refused !== undefined}
              startIcon={<SquareTerminal size={14} aria-hidden />}
              onClick={() => void open()}
            >
              Open in SQL
            </Button>
          </DisabledReason>
        </div>
      </div>
      {note && <Text color="textSecondary">{note}</Text>}
      <CodeField label={title} text={statement} language="sql" readOnly minHeight={120} onChange={() => {}} />
    </section>
  )
}
