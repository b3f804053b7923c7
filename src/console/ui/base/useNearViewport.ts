import { createContext, type RefCallback, useCallback, useContext, useState } from 'react'

/** Whether the page is printed: then every element counts as near. */
export const PrintingContext = createContext(false)

/** Whether an element is in the window or close below or above it. */
export function useNearViewport(margin = '300px'): [RefCallback<HTMLElement>, boolean] {
  const [near, setNear] = useState(false)
  const all = useContext(PrintingContext)
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
  return [ref, near || all]
}
