import TextField from '@mui/material/TextField'
import { useState } from 'react'
import type { Zone } from '#domain/time/zone.ts'
import { formatInstant } from './formatRangeTime.ts'
import { formatRange } from './formatRange.ts'
import { resolveRange, type TimeRange } from './range.ts'
import { readRange } from './readRange.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './time.module.css'

interface TypedRangeProps {
  range: TimeRange
  zone: Zone
  onApply: (range: TimeRange) => void
}

const examples = 'For example: last 3 days, yesterday 9 to 17, now-6h to now-1h'

/** A range as text, with its interpretation below before it is applied. */
export function TypedRange({ range, zone, onApply }: TypedRangeProps) {
  const [text, setText] = useState(() => formatRange(range, zone))
  const parsed = parseText(text, zone)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (parsed.range) onApply(parsed.range)
      }}
      className={css.typedRange}
    >
      <TextField
        label="Enter a time range"
        value={text}
        error={text.trim() !== '' && !parsed.range}
        helperText={parsed.words}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        slotProps={{
          // The field that a person opens the picker for.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          htmlInput: { autoFocus: true, autoComplete: 'off', spellCheck: false },
          formHelperText: { 'aria-live': 'polite' },
        }}
      />
      <Button type="submit" variant="contained" color="primary" disabled={!parsed.range} className={css.applyButton}>
        Apply
      </Button>
    </form>
  )
}

function parseText(text: string, zone: Zone): { range: TimeRange | null; words: string } {
  if (text.trim() === '') return { range: null, words: examples }
  const clock = { now: Date.now(), zone }
  const range = readRange(text, clock)
  if (!range) return { range: null, words: `Invalid time range. ${examples}` }
  const span = resolveRange(range, clock)
  if ('problem' in span) return { range: null, words: span.problem }
  return { range, words: `${formatInstant(floor(span.from), zone)} to ${formatInstant(floor(span.to), zone)}` }
}

const floor = (time: number) => Math.floor(time / 1000) * 1000
