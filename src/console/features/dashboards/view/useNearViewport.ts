import { type RefCallback, useCallback, useState } from 'react'

/** Whether an element is in the window or close below or above it. */
export function useNearViewport(margin = '300px'): [RefCallback<HTMLElement>, boolean] {
  const [near, setNear] = useState(false)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return undefined
      const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
        rootMargin: margin,
      })
      observer.observe(element)
      return () => observer.disconnect()
    },
    [margin],
  )
  return [ref, near]
}
