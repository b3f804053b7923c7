import { styled } from '@mui/material/styles'

interface RowCheckboxProps {
  label: string
  checked: boolean
  /** Some of the rows are selected, not all. */
  indeterminate?: boolean
  disabled?: boolean
  onChange: (checked: boolean, range: boolean) => void
}

const Target = styled('label')({
  display: 'grid',
  placeItems: 'center',
  width: 40,
  height: '100%',
  minHeight: 24,
  cursor: 'pointer',
  '& > input': { width: 14, height: 14, margin: 0, accentColor: 'var(--accent)', cursor: 'inherit' },
  '&:has(> input:disabled)': { cursor: 'default' },
})

/** A native checkbox with a target of 24 px and more. `range` says that Shift was held. */
export function RowCheckbox({ label, checked, indeterminate = false, disabled = false, onChange }: RowCheckboxProps) {
  return (
    <Target>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate
        }}
        onChange={(event) => {
          const { nativeEvent } = event
          onChange(event.target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }}
      />
    </Target>
  )
}
