import { visibleText } from '#domain/text/visibleText.ts'
import { Dialog } from '#console/ui/mui/Dialog.tsx'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useFrameConnection } from '../connection.tsx'
import { ConnectionLine } from '../stage/StageChip.tsx'
import { nameToConfirm } from '../stage/stageLabels.ts'
import { useTypedConfirmation } from '../stage/useTypedConfirmation.tsx'
import type { PendingQuestion } from '../messages/confirm.ts'
import { Button } from '#console/ui/base/Button.tsx'

/** The question, its connection, its consequences, and the button that names the action. */
export function ConfirmDialog({ question }: { question: PendingQuestion }) {
  const { title, body, action, danger = false, irreversible = false, answer } = question
  const frame = useFrameConnection()
  const connection = question.connection ?? (frame.inAddress ? frame.connection : undefined)
  const name = useTypedConfirmation(question.typed ?? (irreversible ? nameToConfirm(connection) : undefined))
  return (
    <Dialog open onClose={() => answer(false)} aria-labelledby="confirm-title" aria-describedby="confirm-body">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.reason === undefined) answer(true)
        }}
      >
        <DialogTitle id="confirm-title">{visibleText(title)}</DialogTitle>
        <DialogContent
          id="confirm-body"
          sx={{ minWidth: { sm: 420 }, display: 'flex', flexDirection: 'column', gap: 3 }}
        >
          {connection && <ConnectionLine connection={connection} />}
          <div>{body}</div>
          {name.field}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button
            type="submit"
            variant="contained"
            color={danger ? 'error' : 'primary'}
            disabled={name.reason !== undefined}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
