import Box from '@mui/material/Box'
import { CopyButton } from './CopyButton.tsx'

/** JSON as it was read, to look at and to copy. */
export function JsonView({ text, label = 'JSON' }: { text: string; label?: string }) {
  return (
    <Box sx={{ position: 'relative' }}>
      <Box sx={{ position: 'absolute', top: 8, right: 8 }}>
        <CopyButton text={text} label="Copy JSON" />
      </Box>
      <Box
        component="pre"
        aria-label={label}
        // A region that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        sx={{ m: 0, p: 3.5, maxHeight: 480, overflow: 'auto', whiteSpace: 'pre', lineHeight: 1.5 }}
      >
        {text}
      </Box>
    </Box>
  )
}
