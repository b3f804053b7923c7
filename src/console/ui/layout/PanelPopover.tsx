import { Popover } from '../mui/Popover.tsx'
import type { ReactNode } from 'react'

interface PanelPopoverProps {
  /** Its accessible name. */
  label: string
  /** The button that opened it; null while it is closed. */
  anchor: HTMLElement | null
  onClose: () => void
  className?: string | undefined
  children: ReactNode
}

/** A dialog below the right end of its button. */
export function PanelPopover({ label, anchor, onClose, className, children }: PanelPopoverProps) {
  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { variant: 'outlined', role: 'dialog', 'aria-label': label, className, sx: { mt: 1 } } }}
    >
      {children}
    </Popover>
  )
}
