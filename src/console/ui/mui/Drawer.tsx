import MuiDrawer from '@mui/material/Drawer'
import { withMui } from './withMui.tsx'

export const Drawer = withMui(MuiDrawer)
