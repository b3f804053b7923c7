import Box from '@mui/material/Box'
import { changeCount, type Change } from '../ChangeTable.tsx'
import { counted } from '../format.ts'

interface ChangeSummaryProps {
  changes: readonly Change[]
  /** How many requests a save takes. */
  requests: number
}

/** What would be sent, for the bar of a form: in short, and with each field's old and new value when it is opened. */
export function ChangeSummary({ changes, requests }: ChangeSummaryProps) {
  if (changes.length === 0) return changeCount(changes)
  return (
    <Box component="details">
      <Box component="summary" sx={{ cursor: 'pointer' }}>
        {changeCount(changes)} · {counted(requests, 'request')} of the rate limit
      </Box>
      <Box component="ul" sx={{ m: 0, pl: 4, maxHeight: 200, overflow: 'auto' }}>
        {changes.map(({ title, before, after }) => (
          <li key={title}>
            {title}: <del>{before || 'none'}</del>{' '}
            <Box component="ins" sx={{ textDecoration: 'none', color: 'text.primary' }}>
              {after || 'none'}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  )
}
