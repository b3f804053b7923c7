import { createContext, type RefCallback, useCallback, useContext, useState } from 'react'

/** While true, every element counts as near: the page is printed. */
export const AllNear = createContext(false)

/** Whether an element is in the window or close below or above it. */
export function useNearViewport(margin = '300px'): [RefCallback<HTMLElement>, boolean] {
  const [near, setNear] = useState(false)
  const all = useContext(AllNear)
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
