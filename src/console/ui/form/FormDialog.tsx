import Box from '@mui/material/Box'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Button } from '../base/Button.tsx'
import { Dialog } from '../mui/Dialog.tsx'
import { focusFirstField } from '../mui/focusFirstField.ts'

interface FormDialogProps {
  title: string
  /** The names of MUI's widths. Default: sm. */
  size?: 'xs' | 'sm' | 'md'
  /** The button that submits: "Create dashboard". */
  action: string
  danger?: boolean
  /** The form is being sent. */
  busy?: boolean
  /** The form cannot be sent as it is. */
  disabled?: boolean
  /** Another button, apart from those that end the form. */
  otherAction?: ReactNode
  /** In place of the buttons, once there is a result to show. */
  result?: ReactNode
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with a few fields, which starts in the first one. Enter submits it and Escape closes it. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    size = 'sm',
    action,
    danger = false,
    busy = false,
    disabled = false,
    otherAction,
    result,
    onClose,
    children,
  } = props
  const id = useId()
  const content = useRef<HTMLDivElement>(null)
  const isDone = Boolean(result)
  useEffect(() => {
    // The button that had the focus is gone. Enter must not close what is shown only once.
    if (isDone) content.current?.focus()
  }, [isDone])
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth={size} aria-labelledby={id}>
      <form
        noValidate
        ref={focusFirstField}
        // As MUI has it without a form: the content scrolls between the title and the buttons.
        style={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled && !busy && !result) props.onSubmit()
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent
          // The result is seen from its beginning, however far the form was scrolled.
          key={Number(isDone)}
          ref={content}
          tabIndex={isDone ? -1 : undefined}
          sx={{ display: 'flex', flexDirection: 'column', gap: 3, outline: 'none', '&&': { pt: 2 } }}
        >
          {children}
        </DialogContent>
        <DialogActions>
          {result ?? (
            <>
              {otherAction && <Box sx={{ mr: 'auto' }}>{otherAction}</Box>}
              <Button onClick={onClose}>Cancel</Button>
              <Button
                type="submit"
                variant="contained"
                color={danger ? 'error' : 'primary'}
                loading={busy}
                disabled={disabled}
              >
                {action}
              </Button>
            </>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
