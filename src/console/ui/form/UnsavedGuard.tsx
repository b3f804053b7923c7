import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useBlocker } from '@tanstack/react-router'
import { Button } from '#console/ui/base/Button.tsx'

/**
 * Asks before unsaved changes are left behind, by a link, the back button or closing the tab.
 * A form that saved leaves with `ignoreBlocker`.
 */
export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  return (
    <Dialog open={blocker.status === 'blocked'} onClose={() => blocker.reset?.()} aria-labelledby="unsaved-title">
      <DialogTitle id="unsaved-title">Leave without saving?</DialogTitle>
      <DialogContent>You have unsaved changes that will be lost.</DialogContent>
      <DialogActions>
        <Button onClick={() => blocker.proceed?.()}>Leave without saving</Button>
        {/* The safe answer is the one that Enter gives. */}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <Button variant="contained" color="primary" onClick={() => blocker.reset?.()} autoFocus>
          Keep editing
        </Button>
      </DialogActions>
    </Dialog>
  )
}
