import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { SourceMatch } from '#console/telemetry/sourceMatch.ts'
import type { Source } from '#contract/sources.ts'
import { Text } from '#console/ui/base/Text.tsx'
import css from './MatchTable.module.css'

interface MatchTableProps {
  matches: readonly SourceMatch[]
  candidates: readonly Source[]
  onChoose: (from: string, to: string) => void
}

/** Maps each source to one of the candidates and shows how the match was found. */
export function MatchTable({ matches, candidates, onChoose }: MatchTableProps) {
  if (matches.length === 0) return <Text color="textSecondary">No sources to map.</Text>
  return (
    <table className={css.matchTable}>
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
              <Text variant="caption" color="textSecondary" className={css.source}>
                {formatSource(reference)}
              </Text>
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
    </table>
  )
}

function formatSource({ kind, from }: SourceMatch['reference']): string {
  return [kind, from?.tableName && `${from.databaseName}.${from.tableName}`].filter(Boolean).join(' · ')
}
