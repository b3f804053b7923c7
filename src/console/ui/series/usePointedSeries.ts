import { useState, type SyntheticEvent } from 'react'

/**
 * The series of a legend that has the pointer or the focus, by the attribute `data-series`. Only its row shows more than its
 * name: a legend can have hundreds of rows.
 */
export function usePointedSeries(enabled: boolean) {
  const [pointed, setPointed] = useState('')
  const point = ({ target }: SyntheticEvent) => {
    const item = target instanceof Element ? target.closest('[data-series]') : null
    setPointed(item?.getAttribute('data-series') ?? '')
  }
  return {
    pointed,
    handlers: enabled ? { onPointerOver: point, onFocus: point, onPointerLeave: () => setPointed('') } : {},
  }
}
