import Box from '@mui/material/Box'
import { CopyButton } from './CopyButton.tsx'

/** An id in fixed-width letters, with a button that copies it. */
export function CopyId({ id, label = 'Copy ID' }: { id: string; label?: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
      <Box component="code" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {id}
      </Box>
      <CopyButton text={id} label={label} compact />
    </Box>
  )
}
