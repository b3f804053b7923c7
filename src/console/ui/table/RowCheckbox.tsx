import * as css from './table.module.css'

interface RowCheckboxProps {
  label: string
  checked: boolean
  /** Some of the rows are selected, not all. */
  indeterminate?: boolean
  disabled?: boolean
  onChange: (checked: boolean, range: boolean) => void
}

/** A native checkbox with a target of 24 px and more. `range` says that Shift was held. */
export function RowCheckbox({ label, checked, indeterminate = false, disabled = false, onChange }: RowCheckboxProps) {
  return (
    <label className={css.rowCheckboxTarget} data-disabled={disabled || undefined}>
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
    </label>
  )
}
