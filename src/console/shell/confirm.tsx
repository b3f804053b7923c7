import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { Store, useStore } from '@tanstack/react-store'
import { useState, type ReactNode } from 'react'

interface Question {
  title: string
  /** What will happen, and whether it can be undone. */
  body: ReactNode
  /** What the button does: "Delete alert". */
  action: string
  danger?: boolean
  /** Must be typed before the button works, such as the name of what is deleted. */
  typed?: string
}

type Pending = Question & { answer: (yes: boolean) => void }

const pending = new Store<Pending | null>(null)

/** Asks before something is done. Resolves to whether the person said yes. */
export function confirm(question: Question): Promise<boolean> {
  pending.state?.answer(false)
  return new Promise((resolve) => {
    pending.setState(() => ({
      ...question,
      answer: (yes) => {
        pending.setState(() => null)
        resolve(yes)
      },
    }))
  })
}

/** Draws the question that is asked; part of the frame. */
export function ConfirmHost() {
  const question = useStore(pending)
  return question && <ConfirmDialog key={question.title} question={question} />
}

function ConfirmDialog({ question }: { question: Pending }) {
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
