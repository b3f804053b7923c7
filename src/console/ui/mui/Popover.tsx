import MuiPopover, { type PopoverProps } from '@mui/material/Popover'
import { MuiProvider } from '../theme/MuiProvider.tsx'

/** MUI's popover with its surroundings: whatever is inside may use MUI too. */
export function Popover(props: PopoverProps) {
  return (
    <MuiProvider>
      <MuiPopover {...props} />
    </MuiProvider>
  )
}
