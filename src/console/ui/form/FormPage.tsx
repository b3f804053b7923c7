import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { BottomBar } from '../layout/BottomBar.tsx'
import { SubmitError } from './SubmitError.tsx'
import { UnsavedGuard } from './UnsavedGuard.tsx'

export interface FormShellProps {
  onSubmit: () => void
  /** What the button does: "Create alert". */
  submitLabel: string
  onCancel: () => void
  /** A request is in progress. */
  loading: boolean
  /** The error of the last submit, besides errors shown on fields. */
  submitError: ErrorText | null
  /** An action for that error. */
  errorAction?: ReactNode
  /** Something would be lost by leaving. */
  dirty: boolean
  /** What sending would do: "2 changes: name, threshold". */
  changes: ReactNode
  /** Why it cannot be sent now. */
  disabled?: string | undefined
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  /** Shows what would be sent, before the button that sends it. */
  onReview?: () => void
  children: ReactNode
}

/** The layout of a form page: fields, the error above them, and the bar with the changes to send. */
export function FormPage(props: FormShellProps) {
  const { onSubmit, submitLabel, onCancel, onReview, loading, submitError, errorAction, dirty, disabled } = props
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      sx={{ display: 'flex', flexDirection: 'column', gap: 4, flexGrow: 1 }}
    >
      <UnsavedGuard dirty={dirty} />
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, maxWidth: props.wide ? 'none' : 880 }}>
        {submitError && <SubmitError error={submitError} action={errorAction} />}
        {props.children}
      </Box>
      <Box sx={{ flexGrow: 1 }} />
      <BottomBar>
        <Typography component="div" color="textSecondary" sx={{ flexGrow: 1, minWidth: 0 }} aria-live="polite">
          {disabled ?? props.changes}
        </Typography>
        <Box sx={{ display: 'flex', gap: 2 }}>
          <Button onClick={onCancel}>{dirty ? 'Discard' : 'Cancel'}</Button>
          {onReview && (
            <DisabledReason reason={disabled}>
              <Button onClick={onReview} disabled={disabled !== undefined}>
                Review
              </Button>
            </DisabledReason>
          )}
          <DisabledReason reason={disabled}>
            <Button
              type="submit"
              variant="contained"
              color="primary"
              loading={loading}
              disabled={disabled !== undefined}
            >
              {submitLabel}
            </Button>
          </DisabledReason>
        </Box>
      </BottomBar>
    </Box>
  )
}
