import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'

interface SwitchInputProps {
  label: string
  checked: boolean
  onChange: (on: boolean) => void
}

/** A setting that takes effect at once, outside of a form. */
export function SwitchInput({ label, checked, onChange }: SwitchInputProps) {
  return (
    <FormControlLabel
      label={label}
      control={<Switch checked={checked} onChange={(_, on) => onChange(on)} />}
      sx={{ m: 0, gap: 1 }}
    />
  )
}
