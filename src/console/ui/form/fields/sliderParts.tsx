/** Parts of the fields with a slider: the label, the number beside it, the mark of the value in force, and the look of the rail. */
import InputAdornment from '@mui/material/InputAdornment'
import MuiTextField from '@mui/material/TextField'
import { useState } from 'react'
import { Text } from '#console/ui/base/Text.tsx'
import { readNumber } from './readNumber.ts'
import { shareOf, type SliderRange } from './sliderScale.ts'
import * as css from '../form.module.css'

interface SliderLabelProps {
  id: string
  label: string
  /** The allowed values, in words: "1 to 10". */
  bounds: string
}

export function SliderLabel({ id, label, bounds }: SliderLabelProps) {
  return (
    <div className={css.sliderLabel}>
      <Text id={id} component="span" className={css.sliderTitle}>
        {label}
      </Text>
      <Text variant="caption" color="textSecondary">
        {bounds}
      </Text>
    </div>
  )
}

interface NumberInputProps {
  value: number | null
  shown: number | null
  changed: boolean
  current: number | null
  /** Which end of a range it is, before the number. */
  which?: 'min' | 'max'
  unit?: string | undefined
  disabled?: string | undefined
  invalid: boolean
  inputRef: (element: HTMLElement | null) => void
  onNumber: (value: number | null) => void
  onBlur: () => void
  /** The meaning of an empty field. Default: unchanged. */
  placeholder?: string | undefined
  /** Its name, or the element that has it. */
  label?: string | undefined
  labelledBy?: string | undefined
  describedBy: string | undefined
}

/** A number that is typed: what is no number stays, as NaN of the form. */
export function NumberInput(props: NumberInputProps) {
  const { value, shown, changed, current, unit = '', invalid, onNumber, labelledBy, describedBy } = props
  const [typed, setTyped] = useState<string | null>(null)
  // A later change by slider or reset replaces the typed text.
  const stale = typed !== null && !Object.is(readNumber(typed), value)
  // There is room for one of them beside the number.
  const aside = changed && current !== null ? `was ${current}` : unit
  return (
    <MuiTextField
      inputRef={props.inputRef}
      value={typed !== null && !stale ? typed : shown === null ? '' : String(shown)}
      placeholder={props.placeholder ?? 'unchanged'}
      disabled={props.disabled !== undefined}
      error={invalid}
      onChange={(event) => {
        setTyped(event.target.value)
        onNumber(readNumber(event.target.value))
      }}
      onBlur={() => {
        if (!Number.isNaN(value)) setTyped(null)
        props.onBlur()
      }}
      slotProps={{
        htmlInput: {
          inputMode: 'decimal',
          autoComplete: 'off',
          ...(labelledBy === undefined ? { 'aria-label': props.label } : { 'aria-labelledby': labelledBy }),
          ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        },
        input: {
          ...(props.which && {
            startAdornment: (
              <InputAdornment position="start" sx={{ '& > *': { fontSize: 12 } }}>
                {props.which}
              </InputAdornment>
            ),
          }),
          endAdornment: (
            <InputAdornment position="end" sx={{ '& > *': { fontSize: 12 } }}>
              {aside.trim()}
            </InputAdornment>
          ),
        },
      }}
    />
  )
}

/** The measured values in words, and as a band under the rail if there are any. */
export interface Load {
  text: string
  band?: Measured | undefined
}

interface Measured {
  low: number
  high: number
  /** Marked in the band. */
  median?: number
  /** From here on the band is faint: few measurements are above. */
  p95?: number
}

/** The measured values, on the scale of the slider. */
export function LoadBand({ range, band: { low, high, median, p95 = high } }: { range: SliderRange; band: Measured }) {
  const at = (value: number) => shareOf(range, value) * 100
  const width = (to: number) => `${Math.max(1, at(to) - at(low))}%`
  return (
    <div aria-hidden className={css.loadScale}>
      {high > p95 && <div className={css.loadPeaks} style={{ left: `${at(low)}%`, width: width(high) }} />}
      <div className={css.loadBand} style={{ left: `${at(low)}%`, width: width(p95) }} />
      {median !== undefined && <div className={css.loadMedian} style={{ left: `${at(median)}%` }} />}
    </div>
  )
}

/** Marks the current value on the rail. */
export function CurrentValueMark({ share }: { share: number }) {
  return (
    <div aria-hidden className={css.currentValueScale}>
      <div className={css.currentValueMark} style={{ left: `${share * 100}%` }} />
    </div>
  )
}

export const sliderSx = (changed: boolean) => ({
  display: 'block',
  height: 4,
  py: '11px',
  mb: '18px',
  color: changed ? 'primary.main' : 'tone.faint',
  '& .MuiSlider-rail': { bgcolor: 'divider', opacity: 1 },
  '& .MuiSlider-track': { border: 0 },
  '& .MuiSlider-thumb': {
    width: 16,
    height: 16,
    bgcolor: 'background.paper',
    border: 4,
    borderColor: 'currentcolor',
    boxShadow: 'none',
    '&::before': { boxShadow: 'none' },
    '&:hover, &.Mui-active': { boxShadow: '0 0 0 4px color-mix(in srgb, currentcolor 16%, transparent)' },
    '&.Mui-focusVisible': { boxShadow: '0 0 0 4px color-mix(in srgb, currentcolor 30%, transparent)' },
  },
  '& .MuiSlider-mark': { display: 'none' },
  '& .MuiSlider-markLabel': { top: 26, fontSize: 11, color: 'text.secondary' },
})
