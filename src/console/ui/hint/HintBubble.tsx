import Box from '@mui/material/Box'
import Popper from '@mui/material/Popper'
import { sideOf } from './hint.ts'

/** The hint beside its element. Visual only: screen readers read the element's name. */
export function HintBubble({ anchor, text }: { anchor: HTMLElement; text: string }) {
  return (
    <Popper
      open
      anchorEl={anchor}
      placement={sideOf(anchor)}
      aria-hidden
      sx={{ zIndex: 'tooltip', pointerEvents: 'none' }}
    >
      <Box
        sx={{
          m: 1.5,
          px: 2,
          py: 1,
          maxWidth: 280,
          borderRadius: '5px',
          fontSize: 12,
          bgcolor: 'text.primary',
          color: 'background.paper',
        }}
      >
        {text}
      </Box>
    </Popper>
  )
}
