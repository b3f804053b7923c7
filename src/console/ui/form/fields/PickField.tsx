import { visibleText } from '#domain/text/visibleText.ts'
import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete'
import MuiTextField from '@mui/material/TextField'
import { useMemo, useState } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { textFieldProps, type FieldProps } from './fieldProps.ts'
import type { Option } from './SelectField.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../form.module.css'

interface PickFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly Option[]
  loading?: boolean
  /** Only options can be chosen; typing finds them. */
  listed?: boolean
  /** Options that are shown at once; typing finds the others. */
  maxShown?: number
  /** Shown in the list when nothing matches. */
  emptyText?: string
  onPick?: (value: string) => void
}

/** A selection from a long list by typing. An ID that is not in the list can be typed: the deployment decides. */
export function PickField<Values extends FieldValues>(props: PickFieldProps<Values>) {
  const { control, name, disabled, placeholder, options, loading, emptyText, onPick } = props
  const { listed = false, maxShown } = props
  const controller = useController({ control, name })
  const { field } = controller
  const shared = textFieldProps(props, controller)
  const value = String(field.value ?? '')
  const known = options.find((option) => option.value === value)
  const chosen = useUnchanged(known ?? { value, label: value })
  const filterOptions = useMemo(
    () => createFilterOptions<Option>(maxShown === undefined ? {} : { limit: maxShown }),
    [maxShown],
  )
  const pick = (picked: string) => {
    field.onChange(picked)
    onPick?.(picked)
  }
  if (listed) {
    return (
      <Autocomplete<Option, false, true>
        fullWidth
        disableClearable
        disabled={disabled !== undefined}
        options={options}
        filterOptions={filterOptions}
        value={chosen}
        getOptionLabel={(option) => visibleText(option.label)}
        getOptionKey={(option) => option.value}
        isOptionEqualToValue={(option, other) => option.value === other.value}
        onChange={(_, picked) => pick(picked.value)}
        onBlur={field.onBlur}
        renderInput={(input) => <MuiTextField {...input} {...shared} />}
      />
    )
  }
  return (
    <Autocomplete<Option, false, false, true>
      freeSolo
      fullWidth
      autoHighlight
      openOnFocus
      selectOnFocus
      forcePopupIcon
      filterOptions={filterOptions}
      disabled={disabled !== undefined}
      loading={loading ?? false}
      loadingText="Loading…"
      noOptionsText={emptyText ?? 'No matches'}
      options={options}
      value={known ? chosen : value === '' ? null : value}
      getOptionLabel={(option) => visibleText(typeof option === 'string' ? option : option.label)}
      getOptionKey={(option) => (typeof option === 'string' ? option : option.value)}
      getOptionDisabled={(option) => option.disabled !== undefined}
      isOptionEqualToValue={(option, other) => option.value === (typeof other === 'string' ? other : other.value)}
      onChange={(_, picked) => pick(picked === null ? '' : typeof picked === 'string' ? picked.trim() : picked.value)}
      onBlur={field.onBlur}
      renderOption={({ key, ...item }, option) => (
        <li key={key} {...item}>
          <span>
            {visibleText(option.label)}
            <Text component="span" variant="caption" color="textSecondary" className={css.optionDetail}>
              {option.disabled ?? option.detail ?? option.value}
            </Text>
          </span>
        </li>
      )}
      renderInput={(input) => (
        <MuiTextField
          {...input}
          {...shared}
          placeholder={placeholder ?? ''}
          onBlur={(event) => {
            const typed = event.target.value.trim()
            if (typed !== '' && typed !== visibleText(known?.label ?? value)) pick(optionTyped(options, typed))
          }}
        />
      )}
    />
  )
}

/** A typed text: the option of that name as it is shown, or else the text itself as an id. */
function optionTyped(options: readonly Option[], typed: string): string {
  const same = options.find(
    (option) => visibleText(option.label).toLowerCase() === typed.toLowerCase() && !option.disabled,
  )
  return same?.value ?? typed
}

/**
 * Keeps an object while its content does not change. MUI's Autocomplete takes another object for another value and discards
 * the typed text, for example when options are read again.
 * @param value JSON
 */
export function useUnchanged<T>(value: T): T {
  const [kept, keep] = useState(value)
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept
  keep(value)
  return value
}
