import FormHelperText from '@mui/material/FormHelperText'
import InputAdornment from '@mui/material/InputAdornment'
import Slider from '@mui/material/Slider'
import MuiTextField from '@mui/material/TextField'
import { useId, useState } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import type { FieldProps } from './fieldProps.ts'
import { readNumber } from './readNumber.ts'
import { pageOf, positionOf, shareOf, valueAfterKey, valueAt, type SliderRange } from './sliderScale.ts'
import { Text } from '#console/ui/base/Text.tsx'
import css from './SliderField.module.css'

interface SliderFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  range: SliderRange
  /** What is allowed, in words: "1 to 10". */
  bounds: string
  /** Short, behind the number. */
  unit?: string
  /** What an unchanged value means; null if that is not known. */
  current: number | null
  /** The value of the mark, if it differs from `current` because a change is pending. */
  inForce?: number | null
  marks: readonly { value: number; label: string }[]
  /** Doubling ranges: stops between the sizes too. */
  free?: boolean
  /** A value for a screen reader: "1000 millicores, size L". */
  words: (value: number) => string
  /** Called after a change by the user, for fields that change together. */
  onMove?: (value: number) => void
}

/** Positions between two sizes when the slider is free. */
const freeStep = 0.05

/**
 * A number by slider and by number field, with the same bounds and a mark at the current value. Null means unchanged: it
 * shows the current value, and an emptied field resets to it.
 */
export function SliderField<Values extends FieldValues>(props: SliderFieldProps<Values>) {
  const { control, name, label, range, bounds, current, marks, free = false, words, disabled, help, onMove } = props
  const { inForce = current } = props
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
  const under = fieldState.error?.message ?? help
  return (
    <div className={css.sliderField}>
      <div className={css.controls}>
        <div className={css.label}>
          <Text id={labelId} component="span" className={css.title}>
            {label}
          </Text>
          <Text variant="caption" color="textSecondary">
            {bounds}
          </Text>
        </div>
        <div className={css.slider}>
          <Slider
            aria-labelledby={labelId}
            disabled={disabled !== undefined}
            min={positionOf(range, range.min)}
            max={positionOf(range, range.max)}
            step={range.doubling ? (free ? freeStep : 1) : range.step}
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
          {inForce !== null && <InForceMark share={shareOf(range, inForce)} />}
        </div>
        <div className={css.number}>
          <NumberInput
            {...props}
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

interface NumberInputProps {
  value: number | null
  shown: number | null
  changed: boolean
  current: number | null
  unit?: string
  disabled?: string | undefined
  invalid: boolean
  inputRef: (element: HTMLElement | null) => void
  onNumber: (value: number | null) => void
  onBlur: () => void
  labelledBy: string
  describedBy: string | undefined
}

function NumberInput(props: NumberInputProps) {
  const { value, shown, changed, current, unit = '', invalid, onNumber, labelledBy, describedBy } = props
  const [typed, setTyped] = useState<string | null>(null)
  // A later change by slider or reset replaces the typed text.
  const stale = typed !== null && !Object.is(readNumber(typed), value)
  const aside = changed ? (current === null ? unit : `${unit} was ${current}`) : unit
  return (
    <MuiTextField
      inputRef={props.inputRef}
      value={typed !== null && !stale ? typed : shown === null ? '' : String(shown)}
      placeholder="unchanged"
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
          'aria-labelledby': labelledBy,
          ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        },
        input: {
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

/** What is in force, on the rail. */
function InForceMark({ share }: { share: number }) {
  return (
    <div aria-hidden className={css.inForceScale}>
      <div className={css.inForceMark} style={{ left: `${share * 100}%` }} />
    </div>
  )
}

const sliderSx = (changed: boolean) => ({
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
