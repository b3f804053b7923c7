import { useState } from 'react'

/**
 * The same object as before while it has the same content. MUI's Autocomplete takes another object for another value, and
 * throws away what is being typed, as when options are read again.
 * @param value JSON
 */
export function useUnchanged<T>(value: T): T {
  const [kept, keep] = useState(value)
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept
  keep(value)
  return value
}
