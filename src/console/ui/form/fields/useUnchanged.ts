import { useState } from 'react'

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
