import MuiPopover from '@mui/material/Popover'
import { withMui } from './withMui.tsx'

export const Popover = withMui(MuiPopover)
