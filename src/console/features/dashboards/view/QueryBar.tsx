import InputAdornment from '@mui/material/InputAdornment'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import Select from '@mui/material/Select'
import { useState } from 'react'
import { languages } from '#console/api/conditions.ts'
import { mono } from '#console/ui/theme/tokens.ts'
import type { Query } from './scope.ts'

/** A condition over all tiles. It applies with Enter or when the field is left. */
export function QueryBar({ query, onQuery }: { query: Query; onQuery: (query: Query) => void }) {
  const [typed, setTyped] = useState(query.text)
  const [shown, setShown] = useState(query)
  if (shown.text !== query.text || shown.language !== query.language) {
    // The address changed under us.
    setShown(query)
    setTyped(query.text)
  }
  const apply = () => {
    if (typed !== query.text) onQuery({ ...query, text: typed })
  }
  return (
    <OutlinedInput
      size="small"
      value={typed}
      placeholder={query.language === 'sql' ? "ServiceName = 'api'" : 'ServiceName:api'}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
      inputProps={{ 'aria-label': 'Condition over all tiles', spellCheck: false, autoComplete: 'off' }}
      sx={{ flex: '1 1 260px', fontFamily: mono, fontSize: 12 }}
      endAdornment={
        <InputAdornment position="end">
          <Select
            variant="standard"
            disableUnderline
            value={query.language}
            onChange={(event) => onQuery({ text: typed, language: event.target.value === 'sql' ? 'sql' : 'lucene' })}
            inputProps={{ 'aria-label': 'Language of the condition' }}
            sx={{ fontSize: 12, color: 'text.secondary' }}
          >
            {languages.map(({ value, label }) => (
              <MenuItem key={value} value={value}>
                {label}
              </MenuItem>
            ))}
          </Select>
        </InputAdornment>
      }
    />
  )
}
