import { type RefCallback, useCallback, useState } from 'react'

export interface ElementSize {
  width: number
  height: number
}

/** Width and height of an element without its borders, in whole pixels; 0 until it is laid out. */
export function useElementSize(): [RefCallback<HTMLElement>, ElementSize] {
  const [size, setSize] = useState<ElementSize>({ width: 0, height: 0 })
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
