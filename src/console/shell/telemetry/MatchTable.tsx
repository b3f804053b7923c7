import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import type { SourceMatch } from '#console/telemetry/sourceMatch.ts'
import type { Source } from '#contract/sources.ts'

interface MatchTableProps {
  matches: readonly SourceMatch[]
  candidates: readonly Source[]
  onChoose: (from: string, to: string) => void
}

/** Maps each source to one of the candidates and shows how the match was found. */
export function MatchTable({ matches, candidates, onChoose }: MatchTableProps) {
  if (matches.length === 0) return <Typography color="textSecondary">No sources to map.</Typography>
  return (
    <Box
      component="table"
      sx={{ borderCollapse: 'collapse', '& th, & td': { textAlign: 'left', verticalAlign: 'top', py: 1.5, pr: 3 } }}
    >
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Use instead</th>
        </tr>
      </thead>
      <tbody>
        {matches.map(({ reference, to, how }) => (
          <tr key={reference.id}>
            <td>
              {reference.name}
              <Typography variant="caption" color="textSecondary" sx={{ display: 'block' }}>
                {formatSource(reference)}
              </Typography>
            </td>
            <td>
              <TextField
                select
                size="small"
                sx={{ minWidth: { xs: 140, sm: 240 } }}
                helperText={how}
                value={to?.id ?? ''}
                onChange={(event) => onChoose(reference.id, event.target.value)}
                slotProps={{
                  select: { inputProps: { 'aria-label': `Use instead of ${reference.name}` } },
                  formHelperText: { sx: { color: to ? 'text.secondary' : 'warning.main' } },
                }}
              >
                {candidates
                  .filter(({ kind }) => reference.kind === '' || kind === reference.kind)
                  .map((source) => (
                    <MenuItem key={source.id} value={source.id}>
                      {source.name}
                    </MenuItem>
                  ))}
              </TextField>
            </td>
          </tr>
        ))}
      </tbody>
    </Box>
  )
}

function formatSource({ kind, from }: SourceMatch['reference']): string {
  return [kind, from?.tableName && `${from.databaseName}.${from.tableName}`].filter(Boolean).join(' · ')
}
