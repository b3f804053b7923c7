import { Search } from 'lucide-react'
import css from './SearchInput.module.css'

interface SearchInputProps {
  label: string
  value: string
  onChange: (text: string) => void
}

/** A search field that answers to every key. `/` focuses it, Escape clears it. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <div className={css.searchInput}>
      <div className={css.icon}>
        <Search size={14} aria-hidden />
      </div>
      <input
        type="search"
        aria-label={label}
        placeholder="Search"
        value={value}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
        className={css.input}
      />
    </div>
  )
}
