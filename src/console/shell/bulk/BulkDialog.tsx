import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { type Outcome, runBulk } from '#console/api/bulk.ts'
import { Reasoned } from '#console/ui/Reasoned.tsx'
import { useConnection } from '../connection.tsx'
import { lockReason } from '../lockReason.ts'
import { ConnectionLine } from '../stage/StageChip.tsx'
import { nameToType } from '../stage/stageWords.ts'
import { useTypedName } from '../stage/typedName.tsx'
import { OutcomeList, type OutcomeRow } from './OutcomeList.tsx'

interface BulkDialogProps<Row extends OutcomeRow> {
  title: string
  /** What something is done to, one after the other. */
  rows: readonly Row[]
  task: (row: Row) => Promise<void>
  /** What the button does. */
  action: string
  danger?: boolean
  /** Records that are gone afterwards. More than one, on production, and the connection's name must be typed. */
  destroys?: number
  /** What is gone cannot be brought back: the same for a single one. */
  irreversible?: boolean
  /** Why it cannot begin. */
  disabled?: string | undefined
  /** Told after each run, however it ended, the ids that it has done, and whether now all are: the place to say so. */
  onEnd: (done: string[], all: boolean) => void
  onClose: () => void
  /** What will happen; not shown any more once it has begun. */
  children: ReactNode
}

/** Asks, does it one by one, and shows what became of each; what failed can be tried again. */
export function BulkDialog<Row extends OutcomeRow>(props: BulkDialogProps<Row>) {
  const { title, rows, task, action, danger, destroys = 0, irreversible = false, onEnd, onClose, children } = props
  const connection = useConnection()
  const name = useTypedName(destroys > 1 || irreversible ? nameToType(connection) : undefined)
  const disabled = props.disabled ?? lockReason(connection) ?? name.reason
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [running, setRunning] = useState(false)
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])

  const started = outcomes.size > 0
  const inState = (state: Outcome['state']) => rows.filter(({ id }) => outcomes.get(id)?.state === state).length
  const failed = rows.filter(({ id }) => ['failed', 'left'].includes(outcomes.get(id)?.state ?? ''))

  const run = async (chosen: readonly Row[]) => {
    setRunning(true)
    abort.current = new AbortController()
    const now = new Map(outcomes)
    await runBulk(chosen, task, (id, outcome) => setOutcomes(new Map(now.set(id, outcome))), abort.current.signal)
    setRunning(false)
    const isDone = ({ id }: Row) => now.get(id)?.state === 'done'
    onEnd(
      chosen.filter(isDone).map(({ id }) => id),
      rows.every(isDone),
    )
  }
  return (
    <Dialog open onClose={running ? undefined : onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-title">
      <DialogTitle id="bulk-title">{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, '&&': { pt: 2 } }}>
        <ConnectionLine connection={connection} />
        {started ? (
          <>
            <Typography role="status">
              {inState('done')} of {rows.length} done{failed.length > 0 && !running && `, ${failed.length} not`}
            </Typography>
            <OutcomeList rows={rows} outcomes={outcomes} />
          </>
        ) : (
          <>
            {children}
            {name.field}
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
              color={danger ? 'error' : 'primary'}
              loading={running}
              disabled={disabled !== undefined}
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
