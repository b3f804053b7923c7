import TextField from '@mui/material/TextField'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useState } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { fromLocalInput, toLocalInput } from '#console/ui/time/localTime.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import css from './SilenceFields.module.css'
import { silenceLengths, weekdayNames, type SilenceForm } from './silences.ts'

interface LengthChoiceProps {
  length: SilenceForm['length']
  onChange: (length: SilenceForm['length']) => void
}

/** How long: each choice with the time at which it would end. */
export function LengthChoice({ length, onChange }: LengthChoiceProps) {
  const [now] = useState(Date.now)
  const choices: { value: SilenceForm['length']; label: string; detail?: string }[] = [
    ...silenceLengths.map(({ value, label }) => ({
      value,
      label,
      detail: `until ${formatRecent(now + Number(value) * 60_000, now)}`,
    })),
    { value: 'date', label: 'Until a date…' },
    { value: 'weekly', label: 'Every week (maintenance window)…' },
  ]
  return (
    <fieldset className={css.lengths}>
      <legend>
        <VisuallyHidden>Length</VisuallyHidden>
      </legend>
      {choices.map(({ value, label, detail }) => (
        <label key={value} className={css.choice}>
          <input
            type="radio"
            name="silence-length"
            value={value}
            checked={value === length}
            // The first thing that a person does in this dialog is choosing a length.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={value === length}
            onChange={() => onChange(value)}
          />
          <span>
            {label}
            <span className={css.detail}>{detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

interface UntilFieldProps {
  label: string
  iso: string
  onChange: (iso: string) => void
}

/** A date and time, typed in the browser's time zone. */
export function UntilField({ label, iso, onChange }: UntilFieldProps) {
  return (
    <TextField
      label={label}
      type="datetime-local"
      required
      value={toLocalInput(iso)}
      onChange={(event) => onChange(fromLocalInput(event.target.value))}
      helperText={iso ? `${iso} in UTC` : 'In the time zone of this browser'}
      slotProps={{ htmlInput: { step: 60 }, inputLabel: { shrink: true } }}
    />
  )
}

interface MaintenanceFieldsProps {
  form: SilenceForm
  onChange: (values: Partial<SilenceForm>) => void
}

/** The days and hours of a maintenance window, in UTC. */
export function MaintenanceFields({ form, onChange }: MaintenanceFieldsProps) {
  return (
    <>
      <ToggleButtonGroup
        aria-label="Weekdays, in UTC"
        size="small"
        fullWidth
        value={form.weekdays}
        // The type of the group's values is not known to the component.
        onChange={(_, weekdays: number[]) => onChange({ weekdays })}
      >
        {weekdayNames.map((name, day) => (
          <ToggleButton key={name} value={day} sx={{ px: 0 }}>
            {name}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <div className={css.window}>
        <TextField
          label="Start (UTC)"
          type="time"
          value={form.startUtc}
          onChange={(event) => onChange({ startUtc: event.target.value })}
        />
        <TextField
          label="Length (min)"
          value={form.minutes}
          onChange={(event) => onChange({ minutes: event.target.value })}
          slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off' } }}
        />
      </div>
    </>
  )
}
