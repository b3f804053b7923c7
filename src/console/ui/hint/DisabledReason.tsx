import type { ReactElement } from 'react'
import { hint } from './hint.ts'

interface DisabledReasonProps {
  /** Why the child cannot be used; undefined when it can. */
  reason: string | undefined
  children: ReactElement<{ disabled?: boolean }>
}

/** Gives a disabled control its reason, as a tooltip that the keyboard reaches and for screen readers. */
export function DisabledReason({ reason, children }: DisabledReasonProps) {
  if (reason === undefined) return children
  return (
    // A disabled control takes no focus: its reason would be out of reach without one.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <span role="group" tabIndex={0} aria-label={reason} {...hint(reason)}>
      {children}
    </span>
  )
}
