import { SelectInput } from '#console/ui/SelectInput.tsx'
import { groupingLabels, groupings, type Grouping } from './alertGroups.ts'

interface GroupingSelectProps {
  value: Grouping
  onChange: (grouping: Grouping) => void
}

const options = groupings.map((value) => ({ value, label: groupingLabels[value] }))

/** How the rows of the list are grouped: one line high, for the toolbar. */
export function GroupingSelect({ value, onChange }: GroupingSelectProps) {
  return (
    <SelectInput
      label="Group by"
      hiddenLabel
      value={value}
      options={options}
      shown={value === 'none' ? 'Not grouped' : `Group by ${groupingLabels[value].toLowerCase()}`}
      onChange={onChange}
      minWidth={150}
    />
  )
}
