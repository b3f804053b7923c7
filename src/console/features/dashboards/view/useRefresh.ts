import { useEffect, useState } from 'react'

/** Runs a tick every so many seconds. Waits while the tab is hidden, and while `paused`; 0 seconds is never. */
export function useRefresh(seconds: number, paused: boolean, tick: () => void): void {
  const hidden = useHidden()
  useEffect(() => {
    if (seconds <= 0 || paused || hidden) return undefined
    const timer = setInterval(tick, seconds * 1000)
    return () => clearInterval(timer)
  }, [seconds, paused, hidden, tick])
}

function useHidden(): boolean {
  const [hidden, setHidden] = useState(() => document.hidden)
  useEffect(() => {
    const change = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [])
  return hidden
}
