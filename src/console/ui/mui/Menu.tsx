import MuiMenu, { type MenuProps } from '@mui/material/Menu'
import { MuiProvider } from '../theme/MuiProvider.tsx'

/** MUI's menu with its surroundings: whatever is inside may use MUI too. */
export function Menu(props: MenuProps) {
  return (
    <MuiProvider>
      <MuiMenu {...props} />
    </MuiProvider>
  )
}
