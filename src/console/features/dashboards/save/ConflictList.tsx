import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Typography from '@mui/material/Typography'
import type { Dashboard } from '#contract/dashboards.ts'
import type { Conflict, Side } from '../model/merge.ts'
import { useSourceNames } from '../model/useSourceNames.ts'
import { formatPath, formatValue } from './formatChanges.ts'

interface ConflictListProps {
  conflicts: readonly Conflict[]
  choices: ReadonlyMap<string, Side>
  onChoose: (conflict: string, side: Side) => void
  dashboards: Dashboard[]
}

/** What both sides changed, side by side: one of the two must be chosen. */
export function ConflictList({ conflicts, choices, onChoose, dashboards }: ConflictListProps) {
  const names = useSourceNames()
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      {conflicts.map((conflict) => {
        const where = formatPath(conflict.path, ...dashboards)
        return (
          <Box key={conflict.key} sx={{ border: 1, borderColor: 'divider', borderRadius: '10px', p: 3 }}>
            <Typography variant="h3" component="h3">
              {where}
            </Typography>
            <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              Original: {formatValue(conflict.base, names)}
            </Typography>
            <RadioGroup
              aria-label={`Value to keep: ${where}`}
              value={choices.get(conflict.key) ?? ''}
              onChange={(_, side) => onChoose(conflict.key, side === 'theirs' ? 'theirs' : 'mine')}
              sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 3, mt: 1 }}
            >
              <Choice side="mine" title="Yours" value={conflict.mine} names={names} />
              <Choice side="theirs" title="Theirs" value={conflict.theirs} names={names} />
            </RadioGroup>
          </Box>
        )
      })}
    </Box>
  )
}

interface ChoiceProps {
  side: Side
  title: string
  value: unknown
  names: ReadonlyMap<string, string>
}

function Choice({ side, title, value, names }: ChoiceProps) {
  return (
    <Box>
      <FormControlLabel value={side} control={<Radio />} label={value === undefined ? `${title}: removed` : title} />
      {value !== undefined && (
        <Box
          component="pre"
          sx={{ m: 0, fontFamily: 'var(--mono)', fontSize: 12, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {formatValue(value, names)}
        </Box>
      )}
    </Box>
  )
}
