import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { runBulk, type Outcome } from '#console/api/bulk.ts'
import { invalidate } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { OutcomeList } from '#console/shell/OutcomeList.tsx'
import { Reasoned } from '#console/ui/Reasoned.tsx'
import type { PipeRow } from '../usePipes.ts'
import { pipeName } from '../words.ts'

interface BulkFrameProps {
  title: string
  /** Those that something will be done to; others are said in the children. */
  rows: readonly PipeRow[]
  /** What will happen, and what to choose before it does. */
  children: ReactNode
  action: string
  /** Why it cannot start. */
  disabled?: string | undefined
  task: (row: PipeRow) => Promise<void>
  onClose: () => void
}

/** Asks, does it one by one, and shows what became of each; what failed can be tried again. */
export function BulkFrame({ title, rows, children, action, disabled, task, onClose }: BulkFrameProps) {
  const { id: connectionId } = useConnection()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState(false)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const started = outcomes.size > 0
  const done = rows.filter(({ id }) => outcomes.get(id)?.state === 'done').length
  const failed = rows.filter(({ id }) => ['failed', 'left'].includes(outcomes.get(id)?.state ?? ''))
  const run = async (chosen: readonly PipeRow[]) => {
    setRunning(true)
    abort.current = new AbortController()
    await runBulk(
      chosen.map(({ id }) => id),
      async (id) => {
        const row = rows.find((one) => one.id === id)
        if (row) await task(row)
      },
      (id, outcome) => setOutcomes((before) => new Map(before).set(id, outcome)),
      abort.current.signal,
    )
    setRunning(false)
    void invalidate(connectionId, 'pipes')
  }
  return (
    <Dialog open onClose={running ? undefined : onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-title">
      <DialogTitle id="bulk-title">{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
        {!started && children}
        {started && (
          <>
            <Typography role="status">
              {done} of {rows.length} done{failed.length > 0 && !running && `, ${failed.length} not`}
            </Typography>
            <OutcomeList rows={rows.map((row) => ({ id: row.id, name: pipeName(row) }))} outcomes={outcomes} />
          </>
        )}
      </DialogContent>
      <DialogActions>
        {running ? (
          <Button onClick={() => abort.current.abort()}>Stop after this one</Button>
        ) : (
          <Button onClick={onClose}>{started ? 'Close' : 'Cancel'}</Button>
        )}
        {(!started || failed.length > 0) && (
          <Reasoned reason={disabled}>
            <Button
              variant="contained"
              color="primary"
              loading={running}
              disabled={disabled !== undefined || rows.length === 0}
              onClick={() => void run(started ? failed : rows)}
            >
              {started ? `Try the ${failed.length} again` : action}
            </Button>
          </Reasoned>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** The pipes that are left out, each with the reason. */
export function LeftOut({ rows }: { rows: readonly { row: PipeRow; reason: string }[] }) {
  if (rows.length === 0) return null
  return (
    <Typography component="div" color="textSecondary">
      Left out:
      <ul style={{ margin: 0, paddingLeft: 16 }}>
        {rows.map(({ row, reason }) => (
          <li key={row.id}>
            {pipeName(row)}: {reason}
          </li>
        ))}
      </ul>
    </Typography>
  )
}
