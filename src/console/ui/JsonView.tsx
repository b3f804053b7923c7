import Box from '@mui/material/Box'
import { CopyButton } from './actions/CopyButton.tsx'
import { ScrollRegion } from './layout/ScrollRegion.tsx'

/** JSON as it was received, to view and copy. */
export function JsonView({ text, label = 'JSON' }: { text: string; label?: string }) {
  return (
    <Box sx={{ position: 'relative' }}>
      <Box sx={{ position: 'absolute', top: 8, right: 8 }}>
        <CopyButton text={text} label="Copy JSON" />
      </Box>
      <ScrollRegion as="pre" label={label} sx={{ p: 3.5, maxHeight: 480, whiteSpace: 'pre', lineHeight: 1.5 }}>
        {text}
      </ScrollRegion>
    </Box>
  )
}
