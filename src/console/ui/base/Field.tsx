import type { ReactNode } from 'react'
import * as css from './base.module.css'

export interface FieldText {
  label: string
  /** The label is for screen readers: the value is self-explanatory. */
  hiddenLabel?: boolean
  required?: boolean
  error?: string | undefined
  /** Below the control, unless there is an error. */
  help?: ReactNode
}

interface FieldProps extends FieldText {
  /** The ID of the control: `${id}-label` and `${id}-help` are those of the texts. */
  id: string
  minWidth?: number | undefined
  className?: string | undefined
  children: ReactNode
}

/** The texts around a control. */
export function Field({
  id,
  label,
  hiddenLabel,
  required,
  error,
  help,
  minWidth,
  className = '',
  children,
}: FieldProps) {
  const text = error ?? help
  return (
    <div className={`${css.field} ${className}`} style={{ minWidth }}>
      <label id={`${id}-label`} htmlFor={id} className={css.fieldLabel} data-hidden={hiddenLabel || undefined}>
        {label}
        {required && (
          <span aria-hidden className={css.asterisk}>
            {' '}
            *
          </span>
        )}
      </label>
      {children}
      {text && (
        <FieldHelp id={`${id}-help`} error={error !== undefined}>
          {text}
        </FieldHelp>
      )}
    </div>
  )
}

interface FieldHelpProps {
  id?: string
  /** It is what is wrong. */
  error?: boolean
  className?: string | undefined
  children: ReactNode
}

/** The text below a control. */
export function FieldHelp({ id, error = false, className = '', children }: FieldHelpProps) {
  return (
    <p id={id} className={`${css.fieldHelp} ${className}`} data-error={error || undefined}>
      {children}
    </p>
  )
}

/** Attributes that connect a control with its texts for screen readers. */
export const describedBy = (id: string, { error, help }: FieldText) => ({
  'aria-invalid': error !== undefined,
  ...((error ?? help) ? { 'aria-describedby': `${id}-help` } : {}),
})
