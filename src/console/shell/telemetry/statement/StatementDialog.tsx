import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery, type QueryKey } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { SquareTerminal } from 'lucide-react'
import { useId } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { asFailure } from '#console/api/failure.ts'
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
import type { ShownStatement } from './shownStatement.ts'
import css from './StatementDialog.module.css'

interface StatementDialogProps {
  /** The connection that answers the chart or search. */
  connectionId: string
  /** Its parts say what is asked, so that the same question is asked once. */
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
        {data?.map((shown) => (
          <Statement key={shown.statement} connectionId={connectionId} shown={shown} />
        ))}
        {error && <NotTold error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Progress aria-label="Reading the SQL" />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function NotTold({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isMissing = ['notOffered', 'notFound'].includes(asFailure(error).code)
  if (!isMissing) return <QueryError error={error} onRetry={onRetry} />
  return (
    <Notice tone="info">
      This deployment’s API does not tell the SQL of its charts and searches, and a statement that only resembles it
      could give other figures.
    </Notice>
  )
}

function Statement({ connectionId, shown }: { connectionId: string; shown: ShownStatement }) {
  const navigate = useNavigate()
  const { data: connections } = useQuery(connectionsQuery)
  const connection = connections?.find((one) => one.id === connectionId)
  const { statement, title, note, refused = connection?.sqlRefused } = shown
  const open = async () => {
    // Loaded apart: the SQL page has it too, and is drawn without what dialogs need.
    const { keepDraft } = await import('#console/telemetry/sqlDraft.ts')
    keepDraft(connectionId, statement)
    await navigate({ to: paths.sql(connectionId) })
  }
  return (
    <section aria-label={title} className={css.statement}>
      <div className={css.head}>
        <Text variant="h3" component="h3">
          {title}
        </Text>
        <div className={css.actions}>
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
