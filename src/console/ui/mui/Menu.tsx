import MuiMenu from '@mui/material/Menu'
import { withMui } from './withMui.tsx'

export const Menu = withMui(MuiMenu)
