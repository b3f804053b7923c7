import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { useChangeLog } from './changeLog.ts'

/** The changes made to a resource in this browser. */
export function ChangeHistory({ resource }: { resource: string }) {
  const entries = useChangeLog(resource)
  if (entries.length === 0) {
    return <Typography color="textSecondary">No changes made in this browser.</Typography>
  }
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexDirection: 'column', gap: 2 }}>
      {entries.map(({ at, what, changes }) => (
        <li key={at}>
          {what}{' '}
          <Typography component="span" color="textSecondary">
            <Timestamp iso={new Date(at).toISOString()} />
          </Typography>
          <Box component="ul" sx={{ m: 0, pl: 4 }}>
            {changes.map(({ title, before, after }) => (
              <li key={title}>
                {title}: <del>{before || 'none'}</del> → {after || 'none'}
              </li>
            ))}
          </Box>
        </li>
      ))}
    </Box>
  )
}
