import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import { useRef, useState } from 'react'
import { call } from '#console/api/call.ts'
import { errorWords } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'
import { useRestoreAlerts } from './useDeleteAlert.ts'

type Result = { done: true } | { done: false; why: string }

interface BulkDeleteProps {
  chosen: readonly Alert[]
  nameOf: (alert: Alert) => string
  onClose: () => void
}

/** Codes after which the rest would fail the same way. */
const hopeless = ['signedOut', 'keyRejected', 'forbidden', 'readOnly']

/** Deletes one after the other, with the result of each; what failed can be tried again, what went can come back. */
export function BulkDelete({ chosen, nameOf, onClose }: BulkDeleteProps) {
  const connection = useConnection()
  const restore = useRestoreAlerts()
  const [results, setResults] = useState<Record<string, Result>>({})
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)
  const left = chosen.filter((alert) => !results[alert.id]?.done)
  const gone = chosen.filter((alert) => results[alert.id]?.done)
  const started = Object.keys(results).length > 0 || running

  const run = async () => {
    stopped.current = false
    setRunning(true)
    for (const alert of left) {
      if (stopped.current) break
      const result = await deleteOne(connection.id, alert.id)
      setResults((all) => ({ ...all, [alert.id]: result.result }))
      if (result.giveUp) break
    }
    setRunning(false)
    await invalidate(connection.id, 'alerts')
  }
  const close = () => {
    stopped.current = true
    onClose()
  }

  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="bulk-title">
      <DialogTitle id="bulk-title">
        {gone.length === chosen.length ? `${gone.length} alerts deleted` : `Delete ${chosen.length} alerts?`}
      </DialogTitle>
      <DialogContent>
        {!started && (
          <p>
            They stop being evaluated at once. Undo makes them again from what was read, with new ids and without their
            history.
          </p>
        )}
        {started && (
          <LinearProgress
            variant="determinate"
            value={(gone.length / chosen.length) * 100}
            aria-label="Alerts deleted"
            sx={{ mb: 3, borderRadius: 9 }}
          />
        )}
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 320, overflow: 'auto' }}>
          {chosen.map((alert) => (
            <Box component="li" key={alert.id} sx={{ display: 'flex', gap: 2, alignItems: 'baseline', py: 1 }}>
              <Box sx={{ flexGrow: 1, overflowWrap: 'anywhere' }}>{nameOf(alert)}</Box>
              <ResultChip result={results[alert.id]} />
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        {gone.length > 0 && !running && (
          <Button
            onClick={() => {
              void restore(gone)
              close()
            }}
          >
            Undo {gone.length}
          </Button>
        )}
        {running && <Button onClick={() => (stopped.current = true)}>Stop</Button>}
        <Button onClick={close}>{started ? 'Close' : 'Cancel'}</Button>
        {left.length > 0 && (
          <Button variant="contained" color="error" onClick={() => void run()} loading={running}>
            {started ? `Try ${left.length} again` : `Delete ${chosen.length} alerts`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function ResultChip({ result }: { result: Result | undefined }) {
  if (!result) return null
  return result.done ? <StatusChip tone="ok">Deleted</StatusChip> : <StatusChip tone="bad">{result.why}</StatusChip>
}

async function deleteOne(connectionId: string, alertId: string): Promise<{ result: Result; giveUp: boolean }> {
  try {
    await call(connectionId, alerts.delete, { params: { alertId } })
    return { result: { done: true }, giveUp: false }
  } catch (error) {
    const { code } = asFailure(error)
    // Somebody else was quicker: it is gone, which is what was asked for.
    if (code === 'notFound') return { result: { done: true }, giveUp: false }
    return { result: { done: false, why: errorWords(error).title }, giveUp: hopeless.includes(code) }
  }
}
