import Box from '@mui/material/Box'
import { Search } from 'lucide-react'

interface SearchInputProps {
  label: string
  value: string
  onChange: (text: string) => void
}

/** A search field that answers to every key. `/` focuses it, Escape clears it. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
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
        value={value}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
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
