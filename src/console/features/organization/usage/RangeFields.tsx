import { TextInput } from '#console/ui/base/TextInput.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { UsageRange, usagePresets } from './usage.ts'
import * as css from '../organization.module.css'

interface RangeFieldsProps {
  range: UsageRange
  presets: ReturnType<typeof usagePresets>
  problem: string | undefined
  onChange: (range: Partial<UsageRange>) => void
}

/** The days to show: a preset, or a first and a last day. */
export function RangeFields({ range, presets, problem, onChange }: RangeFieldsProps) {
  const preset = presets.find((one) => one.range.from === range.from && one.range.to === range.to)
  return (
    <>
      <div className={css.usageRange}>
        <SelectInput
          label="Days"
          value={preset?.value ?? ''}
          shown={preset?.label ?? 'Other days'}
          options={presets}
          minWidth={170}
          onChange={(value) => {
            const chosen = presets.find((one) => one.value === value)
            if (chosen) onChange(chosen.range)
          }}
        />
        <TextInput
          label="First day"
          type="date"
          value={range.from}
          max={range.to}
          onChange={(from) => from && onChange({ from, to: range.to })}
        />
        <TextInput
          label="Last day"
          type="date"
          value={range.to}
          min={range.from}
          onChange={(to) => to && onChange({ from: range.from, to })}
        />
      </div>
      {problem !== undefined && (
        <Notice tone="warning" role="status">
          {problem}
        </Notice>
      )}
    </>
  )
}
