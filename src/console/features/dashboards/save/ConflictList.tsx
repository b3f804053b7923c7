import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import type { Dashboard } from '#contract/dashboards.ts'
import type { Conflict, Side } from '../model/merge.ts'
import { useSourceNames } from '../model/useSourceNames.ts'
import { formatPath, formatValue } from './formatChanges.ts'
import { Text } from '#console/ui/base/Text.tsx'
import css from './ConflictList.module.css'

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
    <div className={css.conflictList}>
      {conflicts.map((conflict) => {
        const where = formatPath(conflict.path, ...dashboards)
        return (
          <div key={conflict.key} className={css.conflict}>
            <Text variant="h3" component="h3">
              {where}
            </Text>
            <Text variant="caption" color="textSecondary" className={css.original}>
              Original: {formatValue(conflict.base, names)}
            </Text>
            <RadioGroup
              aria-label={`Value to keep: ${where}`}
              value={choices.get(conflict.key) ?? ''}
              onChange={(_, side) => onChoose(conflict.key, side === 'theirs' ? 'theirs' : 'mine')}
              sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 3, mt: 1 }}
            >
              <Choice side="mine" title="Yours" value={conflict.mine} names={names} />
              <Choice side="theirs" title="Theirs" value={conflict.theirs} names={names} />
            </RadioGroup>
          </div>
        )
      })}
    </div>
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
    <div>
      <FormControlLabel value={side} control={<Radio />} label={value === undefined ? `${title}: removed` : title} />
      {value !== undefined && <pre className={css.value}>{formatValue(value, names)}</pre>}
    </div>
  )
}
