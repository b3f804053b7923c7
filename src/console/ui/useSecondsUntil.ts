import { useEffect, useState } from 'react'

/** Whole seconds until a moment (epoch milliseconds), counting down; 0 once it has passed. */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const tick = () => {
      setNow(Date.now())
      if (Date.now() >= moment) clearInterval(timer)
    }
    const timer = setInterval(tick, 500)
    // The clock stood still while there was nothing to count.
    const first = setTimeout(tick)
    return () => {
      clearInterval(timer)
      clearTimeout(first)
    }
  }, [moment])
  return Math.max(0, Math.ceil((moment - now) / 1000))
}
