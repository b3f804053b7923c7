import MuiDrawer, { type DrawerProps } from '@mui/material/Drawer'
import { MuiProvider } from '../theme/MuiProvider.tsx'

/** MUI's drawer with its surroundings: whatever is inside may use MUI too. */
export function Drawer(props: DrawerProps) {
  return (
    <MuiProvider>
      <MuiDrawer {...props} />
    </MuiProvider>
  )
}
