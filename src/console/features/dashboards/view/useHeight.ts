import { type RefCallback, useCallback, useState } from 'react'

/** Height of an element in whole pixels; 0 until it is known. */
export function useHeight(): [RefCallback<HTMLElement>, number] {
  const [height, setHeight] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => setHeight(Math.floor(element.clientHeight)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, height]
}
