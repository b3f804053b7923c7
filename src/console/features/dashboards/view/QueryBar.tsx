import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { languages } from '#console/telemetry/conditions.ts'
import { completions, type Field } from '#console/telemetry/fields.ts'
import { ConditionInput } from '#console/ui/ConditionInput.tsx'
import type { Query } from './scope.ts'

interface QueryBarProps {
  query: Query
  onQuery: (query: Query) => void
  /** Columns of the sources that tiles read. */
  fields: readonly Field[]
  /** The field was focused: suggestions are needed. */
  onActivate: () => void
}

/** A condition over all tiles. It applies with Enter or when the field is left. */
export function QueryBar({ query, onQuery, fields, onActivate }: QueryBarProps) {
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
    <Box onFocus={onActivate} sx={queryBarSx}>
      <ConditionInput
        label="Condition for all tiles"
        labelHidden
        value={typed}
        complete={(text, cursor) => completions(text, cursor, fields, query.language)}
        placeholder={query.language === 'sql' ? "e.g. ServiceName = 'api'" : 'e.g. ServiceName:api'}
        onChange={setTyped}
        onEnter={apply}
        onBlur={apply}
      />
      <TextField
        select
        value={query.language}
        onChange={(event) => onQuery({ text: typed, language: event.target.value === 'sql' ? 'sql' : 'lucene' })}
        slotProps={{ select: { inputProps: { 'aria-label': 'Condition language' } } }}
      >
        {languages.map(({ value, label }) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  )
}

/** Condition and language side by side, as one field. */
const queryBarSx = {
  display: 'flex',
  flex: '1 1 320px',
  minWidth: 0,
  '& > :first-child': { flexGrow: 1, minWidth: 0 },
  '& > :first-child .MuiOutlinedInput-root': { borderTopRightRadius: 0, borderBottomRightRadius: 0 },
  '& > :last-child': { width: 'auto', flexShrink: 0, ml: '-1px' },
  '& > :last-child .MuiOutlinedInput-root': { borderTopLeftRadius: 0, borderBottomLeftRadius: 0 },
  '& .Mui-focused': { zIndex: 1 },
} as const
