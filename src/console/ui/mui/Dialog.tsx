import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { MuiProvider } from '../theme/MuiProvider.tsx'

/** MUI's dialog with its surroundings: whatever is inside may use MUI too. */
export function Dialog(props: DialogProps) {
  return (
    <MuiProvider>
      <MuiDialog {...props} />
    </MuiProvider>
  )
}
