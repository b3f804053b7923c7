import Box from '@mui/material/Box'

interface RowCheckboxProps {
  label: string
  checked: boolean
  /** Some of what it stands for, not all. */
  partly?: boolean
  onChange: (checked: boolean, range: boolean) => void
}

/** A native checkbox with a target of 24 px and more. `range` says that Shift was held. */
export function RowCheckbox({ label, checked, partly = false, onChange }: RowCheckboxProps) {
  return (
    <Box
      component="label"
      sx={{ display: 'grid', placeItems: 'center', width: 40, height: '100%', minHeight: 24, cursor: 'pointer' }}
    >
      <Box
        component="input"
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input: HTMLInputElement | null) => {
          if (input) input.indeterminate = partly
        }}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => {
          const { nativeEvent } = event
          onChange(event.target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }}
        sx={{ width: 14, height: 14, m: 0, accentColor: 'var(--sc-palette-primary-main)', cursor: 'inherit' }}
      />
    </Box>
  )
}
