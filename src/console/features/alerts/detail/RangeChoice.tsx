import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { ranges, type RangeName } from './model/ranges.ts'

/** The range of the chart and the strip of states. */
export function RangeChoice({ range, onChange }: { range: RangeName; onChange: (range: RangeName) => void }) {
  return <ToggleButtons label="Time range" value={range} options={ranges} onChange={onChange} />
}
