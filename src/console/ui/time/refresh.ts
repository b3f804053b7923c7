/** Automatic refresh. */
import { useEffect, useRef } from 'react'

export const refreshChoices = ['off', '10s', '30s', '1m', '5m', '15m'] as const
export type Refresh = (typeof refreshChoices)[number]

const seconds: Record<Refresh, number> = { off: 0, '10s': 10, '30s': 30, '1m': 60, '5m': 300, '15m': 900 }

export const refreshLabels: Record<Refresh, string> = {
  off: 'Off',
  '10s': 'Every 10 s',
  '30s': 'Every 30 s',
  '1m': 'Every minute',
  '5m': 'Every 5 min',
  '15m': 'Every 15 min',
}

/**
 * Calls repeatedly while the page is visible; immediately when it becomes visible again after more than one interval.
 */
export function useAutoRefresh(refresh: Refresh, again: () => void): void {
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => {
    const interval = seconds[refresh] * 1000
    if (interval === 0) return undefined
    let last = performance.now()
    const tick = () => {
      if (document.hidden || performance.now() - last < interval) return
      last = performance.now()
      latest.current()
    }
    const timer = setInterval(tick, 1000)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [refresh])
}
