import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useState, type ReactNode } from 'react'
import { Button } from '#console/ui/base/Button.tsx'

/**
 * Asks before what was entered in a drawer is lost: Escape, a click beside it and its close button do not say that they
 * discard.
 * @returns what closes the drawer, and the question, which belongs into it
 */
export function useDiscardGuard(dirty: boolean, onClose: () => void): { close: () => void; question: ReactNode } {
  const [asking, setAsking] = useState(false)
  const id = useId()
  return {
    close: () => (dirty ? setAsking(true) : onClose()),
    question: (
      <Dialog open={asking} onClose={() => setAsking(false)} aria-labelledby={id}>
        <DialogTitle id={id}>Discard changes?</DialogTitle>
        <DialogContent>What you entered here will be lost.</DialogContent>
        <DialogActions>
          <Button onClick={onClose}>Discard</Button>
          {/* The safe answer is the one that Enter gives. */}
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <Button variant="contained" color="primary" onClick={() => setAsking(false)} autoFocus>
            Keep editing
          </Button>
        </DialogActions>
      </Dialog>
    ),
  }
}
