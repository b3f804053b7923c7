import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker'
import dayjs, { type Dayjs } from 'dayjs'
import { useState, type ReactNode, type Ref } from 'react'
import type { Zone } from '#domain/time/zone.ts'
import { clockAt, timeOf } from './zone.ts'

export interface DateTimeInputProps {
  label: string
  /** The label is for screen readers. */
  hiddenLabel?: boolean
  /** ISO text in UTC; empty for none. */
  value: string
  /** In which it is shown and typed. */
  zone: Zone
  /** With seconds; otherwise to the minute. */
  seconds?: boolean
  /** Each change by the user; empty while it is not a whole date and time. */
  onChange: (value: string) => void
  onBlur?: () => void
  name?: string
  inputRef?: Ref<HTMLInputElement>
  required?: boolean
  disabled?: boolean
  error?: boolean
  help?: ReactNode
}

/** The label is above the field, so its outline needs no gap. */
const unnotched = {
  '& .MuiPickersOutlinedInput-root': { height: 30, fontSize: 13, bgcolor: 'tone.raised', px: '9px' },
  '& .MuiPickersOutlinedInput-notchedOutline': { top: 0, borderColor: 'tone.edge', '& legend': { display: 'none' } },
}

/** The parts of a field without a date: the library hides them behind a label that lies in the field. */
const shownParts = { '& .MuiPickersInputBase-sectionsContainer': { opacity: 1, color: 'text.secondary' } }

/** The input, drawn by MUI. */
export function MuiDateTimeInput(props: DateTimeInputProps) {
  const { label, hiddenLabel = false, value, zone, seconds = false, onChange, onBlur, name, inputRef } = props
  const [typed, setTyped] = useState<{ value: string; date: Dayjs | null } | null>(null)
  // The typed text is kept while it is no date yet.
  const date = typed?.value === value ? typed.date : value === '' ? null : dateOf(value, zone)
  const change = (next: Dayjs | null) => {
    const iso = next?.isValid() ? isoOf(next, zone) : ''
    setTyped({ value: iso, date: next })
    if (iso !== value) onChange(iso)
  }
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <DateTimePicker
        {...(!hiddenLabel && { label })}
        value={date}
        onChange={change}
        timezone={zone === 'local' ? 'system' : 'UTC'}
        disabled={props.disabled ?? false}
        ampm={false}
        views={['year', 'month', 'day', 'hours', 'minutes', ...(seconds ? (['seconds'] as const) : [])]}
        timeSteps={{ hours: 1, minutes: 5, seconds: 5 }}
        format={seconds ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD HH:mm'}
        {...(name !== undefined && { name })}
        {...(inputRef && { inputRef })}
        slotProps={{
          textField: {
            size: 'small',
            fullWidth: true,
            required: props.required ?? false,
            error: props.error ?? false,
            helperText: props.help,
            sx: date === null ? { ...unnotched, ...shownParts } : unnotched,
            ...(onBlur && { onBlur }),
            ...(hiddenLabel && { slotProps: { input: { 'aria-label': label } } }),
          },
        }}
      />
    </LocalizationProvider>
  )
}

/** The library knows the clocks of the browser and of UTC: the clocks of others are shown as if they were that of UTC. */
const dateOf = (iso: string, zone: Zone): Dayjs => (zone === 'local' ? dayjs(iso) : clockAt(Date.parse(iso), zone))

const isoOf = (date: Dayjs, zone: Zone): string =>
  zone === 'local' ? date.toISOString() : new Date(timeOf(date, zone)).toISOString()
