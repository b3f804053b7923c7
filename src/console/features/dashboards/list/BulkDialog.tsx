import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { type Outcome, runBulk } from '#console/api/bulk.ts'
import { OutcomeList } from '#console/shell/OutcomeList.tsx'

interface BulkDialogProps {
  title: string
  /** What is done to each of these, one after the other. */
  rows: readonly { id: string; name: string }[]
  task: (id: string) => Promise<void>
  /** What the button does. */
  action: string
  danger?: boolean
  /** Why it cannot begin. */
  disabled?: string | undefined
  /** Told after each run, however it ended, what that run has done: the place to say so. */
  onEnd: (done: string[]) => void
  onClose: () => void
  /** What will happen; not shown any more once it has begun. */
  children: ReactNode
}

/** Asks, does it one by one, and closes by itself when all went well; else it shows what became of each. */
export function BulkDialog({ title, rows, task, action, danger, disabled, onEnd, onClose, children }: BulkDialogProps) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState(false)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const started = outcomes.size > 0
  const inState = (state: Outcome['state']) => rows.filter(({ id }) => outcomes.get(id)?.state === state).length
  const failed = rows.filter(({ id }) => ['failed', 'left'].includes(outcomes.get(id)?.state ?? ''))

  const run = async (chosen: BulkDialogProps['rows']) => {
    setRunning(true)
    abort.current = new AbortController()
    const now = new Map(outcomes)
    await runBulk(
      chosen.map(({ id }) => id),
      task,
      (id, outcome) => setOutcomes(new Map(now.set(id, outcome))),
      abort.current.signal,
    )
    setRunning(false)
    const isDone = ({ id }: { id: string }) => now.get(id)?.state === 'done'
    if (rows.every(isDone)) onClose()
    onEnd(chosen.filter(isDone).map(({ id }) => id))
  }
  return (
    <Dialog open onClose={running ? undefined : onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-title">
      <DialogTitle id="bulk-title">{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
        {started ? (
          <>
            <Typography role="status">
              {inState('done')} of {rows.length} done{failed.length > 0 && !running && `, ${failed.length} not`}
            </Typography>
            <OutcomeList rows={rows} outcomes={outcomes} />
          </>
        ) : (
          children
        )}
      </DialogContent>
      <DialogActions>
        {running ? (
          <Button onClick={() => abort.current.abort()}>Stop after this one</Button>
        ) : (
          <Button onClick={onClose}>{started ? 'Close' : 'Cancel'}</Button>
        )}
        {(!started || failed.length > 0) && (
          <Button
            variant="contained"
            color={danger ? 'error' : 'primary'}
            loading={running}
            disabled={disabled !== undefined}
            title={disabled}
            onClick={() => void run(started ? failed : rows)}
          >
            {started ? `Try the ${failed.length} again` : action}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
