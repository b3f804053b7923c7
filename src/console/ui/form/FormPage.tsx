import type { ReactNode } from 'react'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { BottomBar } from '../layout/BottomBar.tsx'
import { SubmitError } from './SubmitError.tsx'
import { UnsavedGuard } from './UnsavedGuard.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './form.module.css'

export interface FormShellProps {
  onSubmit: () => void
  /** The label of the button: "Create alert". */
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
  /** The effect of sending: "2 changes: name, threshold". */
  changes: ReactNode
  /** Why it cannot be sent now. */
  disabled?: string | undefined
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  /** Shows what would be sent, before the button that sends it. */
  onReview?: (() => void) | undefined
  /** Leads to the step before. */
  onBack?: (() => void) | undefined
  children: ReactNode
}

/** The layout of a form page: fields, the error above them, and the bar with the changes to send. */
export function FormPage(props: FormShellProps) {
  const { onSubmit, submitLabel, onCancel, onReview, loading, submitError, errorAction, dirty, disabled } = props
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      className={css.formPage}
    >
      <UnsavedGuard dirty={dirty} />
      <div className={css.formFields} style={{ maxWidth: props.wide ? 'none' : '880px' }}>
        {submitError && <SubmitError error={submitError} action={errorAction} />}
        {props.children}
      </div>
      <div className={css.formSpacer} />
      <BottomBar>
        <Text component="div" color="textSecondary" className={css.formStatus} aria-live="polite">
          {disabled ?? props.changes}
        </Text>
        <div className={css.formActions}>
          <Button onClick={onCancel}>{dirty ? 'Discard' : 'Cancel'}</Button>
          {props.onBack && <Button onClick={props.onBack}>Back</Button>}
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
        </div>
      </BottomBar>
    </form>
  )
}
