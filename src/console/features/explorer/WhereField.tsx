import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { type SyntheticEvent, useRef, useState } from 'react'
import { mono } from '#console/ui/theme/tokens.ts'
import { completions, type Field } from './fields.ts'
import type { SeriesState } from './state.ts'

interface WhereFieldProps {
  label: string
  value: string
  language: SeriesState['whereLanguage']
  fields: readonly Field[]
  error: string | undefined
  onChange: (where: string) => void
  onRun: () => void
}

/** A condition in either language, with the columns that continue what is typed. Enter runs it. */
export function WhereField({ label, value, language, fields, error, onChange, onRun }: WhereFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [offer, setOffer] = useState({ start: 0, names: [] as string[] })
  const insert = (name: string) => {
    const cursor = input.current?.selectionStart ?? value.length
    onChange(value.slice(0, offer.start) + name + value.slice(cursor))
    setOffer({ start: 0, names: [] })
  }
  return (
    <Autocomplete
      freeSolo
      disableClearable
      options={offer.names}
      open={offer.names.length > 0}
      filterOptions={(names) => names}
      inputValue={value}
      // Nothing is ever chosen for good: Enter always means what is typed.
      value=""
      onInputChange={(_, typed, reason) => {
        if (reason !== 'input') return
        const cursor = input.current?.selectionStart ?? typed.length
        setOffer(language === 'lucene' ? completions(typed, cursor, fields) : { start: 0, names: [] })
        onChange(typed)
      }}
      onChange={(event, chosen, reason) => {
        if (reason === 'selectOption') insert(chosen)
        // With Ctrl the whole page runs.
        else if (reason === 'createOption' && !withControl(event)) onRun()
      }}
      onClose={() => setOffer({ start: 0, names: [] })}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={input}
          label={label}
          placeholder={language === 'lucene' ? 'such as SeverityText:error' : 'such as Duration > 1e9'}
          error={error !== undefined}
          helperText={error}
          sx={{ '& input.MuiInputBase-input': { fontFamily: mono, fontSize: 12 } }}
          slotProps={{
            ...params.slotProps,
            htmlInput: { ...params.slotProps.htmlInput, spellCheck: false },
          }}
        />
      )}
    />
  )
}

function withControl(event: SyntheticEvent): boolean {
  const { nativeEvent } = event
  return nativeEvent instanceof KeyboardEvent && (nativeEvent.ctrlKey || nativeEvent.metaKey)
}
