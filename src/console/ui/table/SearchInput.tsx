import Box from '@mui/material/Box'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'

interface SearchInputProps {
  label: string
  value: string
  onChange: (text: string) => void
}

/** Milliseconds of not typing after which the search applies. */
const pause = 120

/** A search field that answers at once and applies a moment later. `/` focuses it, Escape clears it. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const [typed, setTyped] = useState(value)
  const [applied, setApplied] = useState(value)
  if (value !== applied) {
    // It was changed from elsewhere: the back button, or "clear".
    setApplied(value)
    setTyped(value)
  }

  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => {
      setApplied(typed)
      onChange(typed)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])

  return (
    <Box sx={{ position: 'relative', width: { xs: '100%', sm: 260 } }}>
      <Box sx={{ position: 'absolute', left: 9, top: 8, color: 'text.secondary', lineHeight: 0 }}>
        <Search size={14} aria-hidden />
      </Box>
      <Box
        component="input"
        type="search"
        aria-label={label}
        placeholder="Search"
        value={typed}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => setTyped(event.target.value)}
        sx={{
          width: '100%',
          height: 30,
          pl: '29px',
          pr: 2,
          font: 'inherit',
          color: 'inherit',
          border: 1,
          borderColor: 'tone.edge',
          borderRadius: '7px',
          bgcolor: 'tone.raised',
          '&::placeholder': { color: 'text.secondary', opacity: 1 },
        }}
      />
    </Box>
  )
}
