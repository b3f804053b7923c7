import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import TextField from '@mui/material/TextField'
import { useRef, useState } from 'react'
import { mono } from '#console/ui/theme/tokens.ts'
import { completions, type Field } from './fields.ts'
import type { SeriesState } from './state.ts'

type Language = SeriesState['whereLanguage']

interface WhereFieldProps {
  label: string
  value: string
  language: Language
  fields: readonly Field[]
  error: string | undefined
  onChange: (change: { where: string } | { whereLanguage: Language }) => void
  onRun: () => void
}

/** A condition in either language, with the columns that continue what is typed. Enter runs it. */
export function WhereField({ label, value, language, fields, error, onChange, onRun }: WhereFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [offer, setOffer] = useState({ start: 0, names: [] as string[] })
  const insert = (name: string) => {
    const cursor = input.current?.selectionStart ?? value.length
    onChange({ where: value.slice(0, offer.start) + name + value.slice(cursor) })
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
      value={value}
      onInputChange={(_, typed, reason) => {
        if (reason !== 'input') return
        const cursor = input.current?.selectionStart ?? typed.length
        setOffer(language === 'lucene' ? completions(typed, cursor, fields) : { start: 0, names: [] })
        onChange({ where: typed })
      }}
      onChange={(_, chosen, reason) => {
        if (reason === 'selectOption') insert(chosen)
        else if (reason === 'createOption') onRun()
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
            input: {
              ...params.slotProps.input,
              endAdornment: (
                <LanguageChoice language={language} onChange={(whereLanguage) => onChange({ whereLanguage })} />
              ),
            },
          }}
        />
      )}
    />
  )
}

function LanguageChoice({ language, onChange }: { language: Language; onChange: (language: Language) => void }) {
  return (
    <Box sx={{ position: 'absolute', right: 4, top: 2 }}>
      <Select
        variant="standard"
        disableUnderline
        value={language}
        onChange={(event) => onChange(event.target.value === 'sql' ? 'sql' : 'lucene')}
        slotProps={{ input: { 'aria-label': 'Language of the condition' } }}
        sx={{
          fontSize: 12,
          color: 'text.secondary',
          '& .MuiSelect-select': { minHeight: 0, lineHeight: '24px', py: 0, pl: 2 },
        }}
      >
        <MenuItem value="lucene">field:value</MenuItem>
        <MenuItem value="sql">SQL</MenuItem>
      </Select>
    </Box>
  )
}
