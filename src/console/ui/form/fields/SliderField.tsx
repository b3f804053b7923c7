import FormHelperText from '@mui/material/FormHelperText'
import Slider from '@mui/material/Slider'
import { useId } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import type { FieldProps } from './fieldProps.ts'
import { CurrentValueMark, LoadBand, NumberInput, SliderLabel, sliderSx, type Load } from './sliderParts.tsx'
import { pageOf, positionOf, shareOf, stepOf, valueAfterKey, valueAt, type SliderRange } from './sliderScale.ts'
import * as css from '../form.module.css'

interface SliderFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  range: SliderRange
  /** The allowed values, in words: "1 to 10". */
  bounds: string
  /** Short, behind the number. */
  unit?: string
  /** The meaning of an unchanged value; null if that is not known. */
  current: number | null
  /** The value of the mark, if it differs from `current` because a change is pending. */
  inForce?: number | null
  marks: readonly { value: number; label: string }[]
  /** Doubling ranges: stops between the sizes too. */
  free?: boolean
  /** The meaning of an empty number field. Default: unchanged. */
  placeholder?: string
  /** The measured values, behind the scale. */
  load?: Load | undefined
  /** A value for a screen reader: "1000 millicores, size L". */
  words: (value: number) => string
  /** Called after a change by the user, for fields that change together. */
  onMove?: (value: number) => void
}

/**
 * A number by slider and by number field, with the same bounds and a mark at the current value. Null means unchanged: it
 * shows the current value, and an emptied field resets to it.
 */
export function SliderField<Values extends FieldValues>(props: SliderFieldProps<Values>) {
  const { control, name, label, range, bounds, current, marks, free = false, words, disabled, load, onMove } = props
  const { inForce = current } = props
  const help = [load?.text, props.help].filter(Boolean).join(' ')
  const { field, fieldState } = useController({ control, name })
  const [labelId, underId] = [useId(), useId()]
  // Form values are numbers, or null for unchanged; text that is not a number is NaN.
  const value = field.value as number | null
  const isNumber = value !== null && Number.isFinite(value)
  const shown = isNumber ? value : (current ?? range.min)
  const changed = value !== null && value !== current
  const move = (next: number | null) => {
    field.onChange(next)
    if (next !== null && Number.isFinite(next)) onMove?.(next)
  }
  const under = fieldState.error?.message ?? (help || undefined)
  return (
    <div className={css.sliderField}>
      <div className={css.sliderControls}>
        <SliderLabel id={labelId} label={label} bounds={bounds} />
        <div className={css.slider}>
          {load?.band && <LoadBand range={range} band={load.band} />}
          <Slider
            aria-labelledby={labelId}
            disabled={disabled !== undefined}
            min={positionOf(range, range.min)}
            max={positionOf(range, range.max)}
            step={stepOf(range, free)}
            shiftStep={pageOf(range, free)}
            scale={(position) => valueAt(range, position)}
            value={positionOf(range, shown)}
            onChange={(event, chosen) => {
              const position = Array.isArray(chosen) ? (chosen[0] ?? 0) : chosen
              const byKey = event.type === 'keydown' || event.type === 'change'
              move(byKey ? valueAfterKey(range, shown, position) : valueAt(range, position))
            }}
            getAriaValueText={() => words(shown)}
            marks={marks.map((mark) => ({ value: positionOf(range, mark.value), label: mark.label }))}
            sx={sliderSx(changed)}
          />
          {inForce !== null && <CurrentValueMark share={shareOf(range, inForce)} />}
        </div>
        <div className={css.sliderNumber}>
          <NumberInput
            unit={props.unit}
            placeholder={props.placeholder}
            current={current}
            disabled={disabled}
            value={value}
            shown={isNumber || value === null ? (value ?? current) : null}
            changed={changed}
            invalid={fieldState.invalid}
            inputRef={field.ref}
            onNumber={move}
            onBlur={field.onBlur}
            labelledBy={labelId}
            describedBy={under === undefined ? undefined : underId}
          />
        </div>
      </div>
      {under !== undefined && (
        <FormHelperText id={underId} error={fieldState.invalid} {...(fieldState.invalid && { role: 'alert' })}>
          {under}
        </FormHelperText>
      )}
    </div>
  )
}
