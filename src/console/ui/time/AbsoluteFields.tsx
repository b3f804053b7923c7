import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker'
import type { Dayjs } from 'dayjs'
import type { Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { inZone } from './zone.ts'
import css from './AbsoluteFields.module.css'

export interface AbsoluteFieldsProps {
  span: Span
  zone: Zone
  /** Each complete entry, epoch milliseconds; whether the ends make a range is checked elsewhere. */
  onChange: (span: Span) => void
}

/** The label is above the field, so its outline needs no gap. */
const unnotched = {
  '& .MuiPickersOutlinedInput-root': { height: 30, fontSize: 13, bgcolor: 'tone.raised', px: '9px' },
  '& .MuiPickersOutlinedInput-notchedOutline': { top: 0, borderColor: 'tone.edge', '& legend': { display: 'none' } },
}

/** Both ends of a range as dates and times of the zone. Loaded when the picker opens: calendars weigh more than the rest of it. */
export function AbsoluteFields({ span, zone, onChange }: AbsoluteFieldsProps) {
  const field = (label: string, end: keyof Span) => (
    <DateTimePicker
      label={label}
      value={inZone(span[end], zone)}
      onChange={(date: Dayjs | null) => {
        if (date?.isValid()) onChange({ ...span, [end]: date.valueOf() })
      }}
      timezone={zone === 'utc' ? 'UTC' : 'system'}
      ampm={false}
      views={['year', 'month', 'day', 'hours', 'minutes', 'seconds']}
      timeSteps={{ hours: 1, minutes: 5, seconds: 5 }}
      format="YYYY-MM-DD HH:mm:ss"
      slotProps={{ textField: { size: 'small', fullWidth: true, sx: unnotched } }}
    />
  )
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs}>
      <div className={css.fields}>
        {field('From', 'from')}
        {field('To', 'to')}
      </div>
    </LocalizationProvider>
  )
}
