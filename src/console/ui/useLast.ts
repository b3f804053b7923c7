import { useState } from 'react'

/** A value, or while there is none the last one that there was. */
export function useLast<T extends object>(now: T | null | undefined): T | undefined {
  const [last, setLast] = useState(now)
  if (now && now !== last) setLast(now)
  return now ?? last ?? undefined
}
