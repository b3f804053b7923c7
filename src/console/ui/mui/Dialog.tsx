import MuiDialog from '@mui/material/Dialog'
import { withMui } from './withMui.tsx'

export const Dialog = withMui(MuiDialog)
