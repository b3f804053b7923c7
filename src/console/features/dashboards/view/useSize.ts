import { type RefCallback, useCallback, useState } from 'react'

interface Size {
  width: number
  height: number
}

/** Width and height of an element's inside in whole pixels; 0 until they are known. */
export function useSize(): [RefCallback<HTMLElement>, Size] {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
