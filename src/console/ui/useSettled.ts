import { useEffect, useState } from 'react'

/** A value once it has not changed for `pause` milliseconds. Without a pause it is the value itself. */
export function useSettled<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value)
  if (pause === 0 && settled !== value) setSettled(value)
  useEffect(() => {
    if (pause === 0) return undefined
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return pause === 0 ? value : settled
}
