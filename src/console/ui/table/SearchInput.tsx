import { Search } from 'lucide-react'
import * as css from './table.module.css'

interface SearchInputProps {
  label: string
  value: string
  onChange: (text: string) => void
  /** The field loses focus. */
  onBlur?: () => void
}

/** A search field that answers to every key. `/` focuses it, Escape clears it. */
export function SearchInput({ label, value, onChange, onBlur }: SearchInputProps) {
  return (
    <div className={css.searchInput}>
      <div className={css.searchInputIcon}>
        <Search size={14} aria-hidden />
      </div>
      <input
        type="search"
        aria-label={label}
        placeholder="Search"
        value={value}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => onChange(event.target.value)}
        onBlur={onBlur}
        className={css.searchInputField}
      />
    </div>
  )
}
