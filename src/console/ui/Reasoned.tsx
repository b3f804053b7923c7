import Tooltip from '@mui/material/Tooltip'
import type { ReactElement } from 'react'

interface ReasonedProps {
  /** Why the child cannot be used; undefined when it can. */
  reason: string | undefined
  children: ReactElement<{ disabled?: boolean }>
}

/** Puts the reason on a disabled control: a tooltip that the keyboard reaches too. */
export function Reasoned({ reason, children }: ReasonedProps) {
  if (reason === undefined) return children
  return (
    <Tooltip title={reason} describeChild>
      {/* A disabled control takes no focus: its reason would be out of reach without one. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <span tabIndex={0}>{children}</span>
    </Tooltip>
  )
}
