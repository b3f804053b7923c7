import Popover from '@mui/material/Popover'
import type { SxProps, Theme } from '@mui/material/styles'
import type { ReactNode } from 'react'

interface PanelPopoverProps {
  /** Its accessible name. */
  label: string
  /** The button that opened it; null while it is closed. */
  anchor: HTMLElement | null
  onClose: () => void
  sx?: SxProps<Theme>
  children: ReactNode
}

/** A dialog below the right end of its button. */
export function PanelPopover({ label, anchor, onClose, sx, children }: PanelPopoverProps) {
  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        paper: {
          variant: 'outlined',
          role: 'dialog',
          'aria-label': label,
          sx: [{ mt: 1 }, ...(Array.isArray(sx) ? sx : [sx])],
        },
      }}
    >
      {children}
    </Popover>
  )
}
