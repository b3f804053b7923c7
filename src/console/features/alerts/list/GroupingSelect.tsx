import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { groupingLabels, groupings, type Grouping } from './alertGroups.ts'

interface GroupingSelectProps {
  value: Grouping
  onChange: (grouping: Grouping) => void
}

/** How the rows of the list are grouped: one line high, for the toolbar. */
export function GroupingSelect({ value, onChange }: GroupingSelectProps) {
  return (
    <TextField
      select
      hiddenLabel
      value={value}
      onChange={(event) => onChange(groupings.find((one) => one === event.target.value) ?? 'none')}
      slotProps={{
        select: {
          SelectDisplayProps: { 'aria-label': 'Group by' },
          renderValue: () => (value === 'none' ? 'Not grouped' : `Group by ${groupingLabels[value].toLowerCase()}`),
        },
      }}
      sx={{ minWidth: 150, width: 'auto' }}
    >
      {groupings.map((one) => (
        <MenuItem key={one} value={one}>
          {groupingLabels[one]}
        </MenuItem>
      ))}
    </TextField>
  )
}
