import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import type { Pending } from './confirm.tsx'

/** The question, its consequences, and the button that says what it does. */
export function ConfirmDialog({ question }: { question: Pending }) {
  const [typed, setTyped] = useState('')
  const { title, body, action, danger = false, answer } = question
  const ready = question.typed === undefined || typed.trim() === question.typed
  return (
    <Dialog open onClose={() => answer(false)} aria-labelledby="confirm-title" aria-describedby="confirm-body">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) answer(true)
        }}
      >
        <DialogTitle id="confirm-title">{title}</DialogTitle>
        <DialogContent id="confirm-body" sx={{ minWidth: { sm: 420 } }}>
          {body}
          {question.typed !== undefined && (
            <TextField
              label={`Type ${question.typed} to go on`}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              sx={{ mt: 3 }}
              slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button type="submit" variant="contained" color={danger ? 'error' : 'primary'} disabled={!ready}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
