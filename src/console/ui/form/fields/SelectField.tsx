import { visibleText } from '#domain/text/visibleText.ts'
import MenuItem from '@mui/material/MenuItem'
import MuiTextField from '@mui/material/TextField'
import { useState } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { textFieldProps, type FieldProps } from './fieldProps.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../form.module.css'

export interface Option {
  value: string
  label: string
  /** A second, quiet line. */
  detail?: string
  /** Why it cannot be chosen. */
  disabled?: string
}

interface SelectFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly Option[]
  /** Lets a person type a value that is not listed, for deployments that know more than this console. */
  freeText?: boolean
  /** Called after a change by the user, to reset dependent values. */
  onPick?: ((value: string) => void) | undefined
}

const other = '\u0000other'

/** A line above it: a divider between options would be read out as an option. */
const underLine = {
  mt: 2,
  '&::before': { content: '""', position: 'absolute', inset: '-4px 0 auto', borderTop: 1, borderColor: 'divider' },
} as const

/** A selection from a short list. A value that is not in the list is shown unchanged and stays selectable. */
export function SelectField<Values extends FieldValues>(props: SelectFieldProps<Values>) {
  const { control, name, options, freeText, onPick } = props
  const controller = useController({ control, name })
  const { field } = controller
  const [typing, setTyping] = useState(false)
  const value = String(field.value ?? '')
  const all =
    value === '' || options.some((option) => option.value === value)
      ? options
      : [...options, { value, label: value, detail: 'unknown value' }]
  const pick = (picked: string) => {
    if (picked === other) {
      setTyping(true)
      field.onChange('')
      return
    }
    field.onChange(picked)
    onPick?.(picked)
  }
  const shared = { ...textFieldProps(props, controller), onBlur: field.onBlur }
  if (typing) {
    return (
      <MuiTextField
        {...shared}
        value={value}
        placeholder="Enter a value"
        onChange={(event) => field.onChange(event.target.value)}
        onBlur={() => {
          if (value === '') setTyping(false)
          else onPick?.(value)
          field.onBlur()
        }}
        slotProps={{ htmlInput: { autoFocus: true, autoComplete: 'off' } }}
      />
    )
  }
  return (
    <MuiTextField
      {...shared}
      select
      value={value}
      onChange={(event) => pick(event.target.value)}
      slotProps={{
        select: {
          // An empty value may be an option, such as "Default".
          displayEmpty: true,
          renderValue: () => visibleText(all.find((option) => option.value === value)?.label ?? value),
        },
      }}
    >
      {all.map((option) => (
        <MenuItem key={option.value} value={option.value} disabled={option.disabled !== undefined}>
          <span>
            {visibleText(option.label)}
            {(option.disabled ?? option.detail) && (
              <Text component="span" variant="caption" color="textSecondary" className={css.optionDetail}>
                {option.disabled ?? option.detail}
              </Text>
            )}
          </span>
        </MenuItem>
      ))}
      {freeText && (
        <MenuItem value={other} sx={underLine}>
          Other…
        </MenuItem>
      )}
    </MuiTextField>
  )
}
