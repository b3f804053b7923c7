import { useMemo, useState } from 'react'
import { isZone, type Zone } from '#domain/time/zone.ts'
import type { Span } from '#domain/time/span.ts'
import { DateTimeInput } from './DateTimeInput.tsx'
import { formatRange } from './formatRange.ts'
import { presetRanges, sameRange } from './presets.ts'
import { absoluteRange, isRelative, resolveRange, type TimeRange } from './range.ts'
import { zoneName } from './zone.ts'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SuggestInput } from '#console/ui/suggest/SuggestInput.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './time.module.css'
import TextField from '@mui/material/TextField'
import { formatInstant } from './formatRangeTime.ts'
import { readRange } from './readRange.ts'

interface RangeChoicesProps {
  range: TimeRange
  zone: Zone
  onApply: (range: TimeRange) => void
  onZoneChange: (zone: Zone) => void
}

/** The panel of the picker: usual ranges, a range as text, exact ends, the time zone. */
export function RangeChoices({ range, zone, onApply, onZoneChange }: RangeChoicesProps) {
  return (
    <div className={css.rangeChoices}>
      <ul aria-label="Quick ranges" className={css.presets}>
        {presetRanges.map((preset) => {
          const current = sameRange(preset, range)
          return (
            <li key={`${preset.from} ${preset.to}`}>
              <Button variant="text" aria-current={current} onClick={() => onApply(preset)} className={css.preset}>
                {formatRange(preset, zone)}
              </Button>
            </li>
          )
        })}
      </ul>
      <div className={css.typedRanges}>
        <TypedRange key={zone} range={range} zone={zone} onApply={onApply} />
        <ExactRange key={`${zone} ${range.from} ${range.to}`} range={range} zone={zone} onApply={onApply} />
        <ZoneChoice zone={zone} onZoneChange={onZoneChange} />
      </div>
    </div>
  )
}

const ends = [
  { end: 'from', label: 'From' },
  { end: 'to', label: 'To' },
] as const

function ExactRange({ range, zone, onApply }: Pick<RangeChoicesProps, 'range' | 'zone' | 'onApply'>) {
  const [start] = useState(() => startSpan(range, zone))
  const [span, setSpan] = useState(start)
  const checked = resolveRange(absoluteRange(span), { now: span.to, zone })
  const problem = 'problem' in checked ? checked.problem : null
  return (
    <div className={css.exactRange}>
      <div className={css.rangeChoicesFields}>
        {ends.map(({ end, label }) => (
          <DateTimeInput
            key={end}
            label={label}
            value={new Date(span[end]).toISOString()}
            zone={zone}
            seconds
            onChange={(value) => {
              // Whether the ends make a range is checked below.
              if (value !== '') setSpan({ ...span, [end]: Date.parse(value) })
            }}
          />
        ))}
      </div>
      <Text variant="caption" color="error" aria-live="polite">
        {problem}
      </Text>
      <div className={css.rangeChoicesActions}>
        <Button disabled={problem !== null || span === start} onClick={() => onApply(absoluteRange(span))}>
          Apply time range
        </Button>
        <Button disabled={!isRelative(range)} onClick={() => onApply(absoluteRange(startSpan(range, zone)))}>
          Pin to these times
        </Button>
      </div>
    </div>
  )
}

const hour = 3_600_000

/** The current ends of the range in whole seconds; the last hour if the range is invalid. */
function startSpan(range: TimeRange, zone: Zone): Span {
  const now = Date.now()
  const span = resolveRange(range, { now, zone })
  const { from, to } = 'problem' in span ? { from: now - hour, to: now } : span
  return { from: Math.floor(from / 1000) * 1000, to: Math.ceil(to / 1000) * 1000 }
}

function ZoneChoice({ zone, onZoneChange }: Pick<RangeChoicesProps, 'zone' | 'onZoneChange'>) {
  const [now] = useState(Date.now)
  const [typed, setTyped] = useState('')
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), [])
  const other = zone !== 'local' && zone !== 'utc'
  return (
    <div className={css.zone}>
      <ToggleButtons<Zone>
        label="Time zone"
        value={zone}
        options={[
          { value: 'local', label: zoneName('local', now) },
          { value: 'utc', label: 'UTC' },
          ...(other ? [{ value: zone, label: zoneName(zone, now) }] : []),
        ]}
        onChange={onZoneChange}
      />
      <SuggestInput
        label="Other time zone"
        hiddenLabel
        value={typed}
        placeholder="Other time zone, e.g. Asia/Tokyo"
        suggestions={zones}
        onChange={(name) => {
          setTyped(name)
          if (name !== '' && zones.includes(name)) onZoneChange(name)
        }}
        error={
          typed !== '' && !isZone(typed) && !zones.some((name) => matches(name, typed))
            ? 'No such time zone'
            : undefined
        }
      />
    </div>
  )
}

const matches = (name: string, typed: string): boolean => name.toLowerCase().includes(typed.toLowerCase())

interface TypedRangeProps {
  range: TimeRange
  zone: Zone
  onApply: (range: TimeRange) => void
}

const examples = 'For example: last 3 days, yesterday 9 to 17, now-6h to now-1h'

/** A range as text, with its interpretation below before it is applied. */
function TypedRange({ range, zone, onApply }: TypedRangeProps) {
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
