import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { ranges, type RangeName } from './model/ranges.ts'

/** The range of the chart and the strip of states. */
export function RangeChoice({ range, onChange }: { range: RangeName; onChange: (range: RangeName) => void }) {
  return (
    <ToggleButtonGroup
      aria-label="Time range"
      size="small"
      exclusive
      value={range}
      // Null is the choice that was pressed again.
      onChange={(_, chosen: RangeName | null) => chosen && onChange(chosen)}
    >
      {ranges.map(({ value, label }) => (
        <ToggleButton key={value} value={value}>
          {label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
