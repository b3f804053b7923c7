import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { Dashboard, Tile } from '#contract/dashboards.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { DashboardDiff, FieldChange } from '../model/diff.ts'
import { useSourceNames } from '../model/useSourceNames.ts'
import { formatDefinition } from '../model/formatDefinition.ts'
import { formatPath, formatValue } from './formatChanges.ts'

interface ChangeListProps {
  changes: DashboardDiff
  before: Dashboard
  after: Dashboard
}

const tones = { added: 'ok', removed: 'bad', changed: 'neutral' } as const

/** Every field that a save changes: settings first, then tile by tile. */
export function ChangeList({ changes, before, after }: ChangeListProps) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {changes.settings.length > 0 && <FieldTable changes={changes.settings} dashboards={[after, before]} />}
      {changes.tiles.map((tile) => (
        <Box key={tile.id}>
          <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', mb: 1 }}>
            <StatusChip tone={tones[tile.kind]}>{tile.kind}</StatusChip>
            <strong>{tile.name}</strong>
          </Box>
          {tile.changes.length > 0 ? (
            <FieldTable changes={tile.changes} dashboards={[after, before]} />
          ) : (
            <TileSummary tile={[...after.tiles, ...before.tiles].find(({ id }) => id === tile.id)} />
          )}
        </Box>
      ))}
    </Box>
  )
}

/** What an added or removed tile is, in short. */
function TileSummary({ tile }: { tile: Tile | undefined }) {
  const names = useSourceNames()
  if (!tile) return null
  const words = formatDefinition(tile.config, names.get(tile.config?.sourceId ?? ''))
  return (
    <Box
      component="code"
      sx={{ fontFamily: 'var(--mono)', fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}
    >
      {words.length > 0 ? words.join(', ') : formatValue(tile.config)}
    </Box>
  )
}

/** Field, before, after. */
export function FieldTable({ changes, dashboards }: { changes: readonly FieldChange[]; dashboards: Dashboard[] }) {
  const names = useSourceNames()
  return (
    <Box
      component="table"
      sx={{
        width: '100%',
        tableLayout: 'fixed',
        borderCollapse: 'collapse',
        '& th, & td': {
          textAlign: 'left',
          verticalAlign: 'top',
          py: 1,
          pr: 3,
          borderBottom: 1,
          borderColor: 'divider',
        },
        '& td:not(:first-of-type)': { fontFamily: 'var(--mono)', fontSize: 12, overflowWrap: 'anywhere' },
      }}
    >
      <thead>
        <tr>
          {['Field', 'Current', 'New'].map((title) => (
            <Typography key={title} component="th" scope="col" variant="caption" color="textSecondary">
              {title}
            </Typography>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => (
          <tr key={JSON.stringify(path)}>
            <Box component="td" sx={{ overflowWrap: 'anywhere' }}>
              {formatPath(path, ...dashboards)}
            </Box>
            <td>{formatValue(before, names)}</td>
            <td>{formatValue(after, names)}</td>
          </tr>
        ))}
      </tbody>
    </Box>
  )
}
