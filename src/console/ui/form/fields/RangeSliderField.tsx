import FormHelperText from '@mui/material/FormHelperText'
import Slider from '@mui/material/Slider'
import { useId } from 'react'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { pageOf, positionOf, shareOf, stepOf, valueAfterKey, valueAt, type SliderRange } from './sliderScale.ts'
import { CurrentValueMark, LoadBand, NumberInput, SliderLabel, sliderSx, type Load } from './sliderParts.tsx'
import * as css from '../form.module.css'

/** One end of the range. */
interface End<Values extends FieldValues> {
  name: FieldPath<Values>
  /** "Minimum memory per replica" */
  label: string
  /** The meaning of an unchanged value; null if that is not known. */
  current: number | null
  /** The value of the mark, if it differs from `current` because a change is pending. */
  inForce?: number | null
}

interface RangeSliderFieldProps<Values extends FieldValues> {
  control: Control<Values>
  /** The name of the range: "Memory per replica". */
  label: string
  range: SliderRange
  /** The allowed values, in words: "8 to 356 GiB". */
  bounds: string
  unit: string
  min: End<Values>
  max: End<Values>
  marks: readonly { value: number; label: string }[]
  /** The meaning of an empty number field. Default: unchanged. */
  placeholder?: string
  help?: string | undefined
  /** The measured values, behind the scale. */
  load?: Load | undefined
  disabled?: string | undefined
}

/**
 * A minimum and a maximum on one slider, with a number field for each. As in `SliderField`, null means unchanged. A value is
 * only written when its own end is moved: one that lies between the steps stays as it is.
 */
export function RangeSliderField<Values extends FieldValues>(props: RangeSliderFieldProps<Values>) {
  const { control, label, range, bounds, unit, marks, load, disabled } = props
  const [labelId, underId] = [useId(), useId()]
  const ends = [useEnd(control, props.min, range.min), useEnd(control, props.max, range.max)] as const
  const error = ends.find(({ message }) => message !== undefined)?.message
  const help = [load?.text, props.help].filter(Boolean).join(' ')
  const under = error ?? (help || undefined)
  return (
    <div className={css.sliderField} role="group" aria-labelledby={labelId}>
      <div className={css.sliderControls}>
        <SliderLabel id={labelId} label={label} bounds={bounds} />
        <div className={css.slider}>
          {load?.band && <LoadBand range={range} band={load.band} />}
          <Slider
            disabled={disabled !== undefined}
            disableSwap
            getAriaLabel={(index) => ends[index === 0 ? 0 : 1].label}
            min={positionOf(range, range.min)}
            max={positionOf(range, range.max)}
            step={stepOf(range, false)}
            shiftStep={pageOf(range, false)}
            scale={(position) => valueAt(range, position)}
            value={ends.map(({ shown }) => positionOf(range, shown))}
            onChange={(event, chosen, index) => {
              const end = ends[index === 0 ? 0 : 1]
              const position = Array.isArray(chosen) ? (chosen[index] ?? 0) : chosen
              const byKey = event.type === 'keydown' || event.type === 'change'
              const next = byKey ? valueAfterKey(range, end.shown, position) : valueAt(range, position)
              end.onNumber(index === 0 ? Math.min(next, ends[1].shown) : Math.max(next, ends[0].shown))
            }}
            getAriaValueText={(_, index) => `${ends[index === 0 ? 0 : 1].shown} ${unit}`}
            marks={marks.map((mark) => ({ value: positionOf(range, mark.value), label: mark.label }))}
            sx={sliderSx(ends.some(({ changed }) => changed))}
          />
          {ends.map(
            ({ name, inForce }) => inForce !== null && <CurrentValueMark key={name} share={shareOf(range, inForce)} />,
          )}
        </div>
        <div className={css.sliderNumber}>
          {ends.map((end, at) => (
            <NumberInput
              key={end.name}
              which={at === 0 ? 'min' : 'max'}
              unit={unit}
              current={end.current}
              disabled={disabled}
              value={end.value}
              shown={end.entered}
              changed={end.changed}
              invalid={end.message !== undefined}
              inputRef={end.ref}
              onNumber={end.onNumber}
              onBlur={end.onBlur}
              placeholder={props.placeholder}
              label={end.label}
              describedBy={under === undefined ? undefined : underId}
            />
          ))}
        </div>
      </div>
      {under !== undefined && (
        <FormHelperText id={underId} error={error !== undefined} {...(error !== undefined && { role: 'alert' })}>
          {under}
        </FormHelperText>
      )}
    </div>
  )
}

/** @param limit where the thumb is if no value is known */
function useEnd<Values extends FieldValues>(control: Control<Values>, end: End<Values>, limit: number) {
  const { name, label, current, inForce = current } = end
  const { field, fieldState } = useController({ control, name })
  // Form values are numbers, or null for unchanged; text that is not a number is NaN.
  const value = field.value as number | null
  const isNumber = value !== null && Number.isFinite(value)
  return {
    name,
    label,
    current,
    inForce,
    value,
    shown: isNumber ? value : (current ?? limit),
    /** The value of the number field; null for a text that is no number. */
    entered: isNumber ? value : value === null ? current : null,
    changed: value !== null && value !== current,
    message: fieldState.error?.message,
    ref: field.ref,
    onBlur: field.onBlur,
    onNumber: (next: number | null) => field.onChange(next),
  }
}
