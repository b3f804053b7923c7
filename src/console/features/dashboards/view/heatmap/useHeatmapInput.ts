import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { type Cell, type Part, partBetween } from './heatmapPart.ts'

/** Lets a part of the heatmap be explained. */
export interface HeatmapExplain {
  /** The next part that is selected is explained. */
  choosing: boolean
  run: (part: Part) => void
  /** No part is explained after all. */
  cancel: () => void
}

interface HeatmapInput {
  /** Buckets of time, and rows of the scale. */
  columns: number
  rows: number
  explain: HeatmapExplain | undefined
  /** The keyboard moved the cursor. */
  onMove: (cell: Cell, part: Part) => void
}

/** Where each key moves the cursor by, in buckets and rows. */
const moves: Record<string, readonly [columns: number, rows: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  Home: [-Infinity, 0],
  End: [Infinity, 0],
  PageUp: [0, Infinity],
  PageDown: [0, -Infinity],
}

/** Pixels that a pointer may move during a click. */
const clickTolerance = 4

/** Pointer and keyboard on a heatmap: the cell at the cursor, and the part that is selected by dragging or with Shift and the arrow keys. */
export function useHeatmapInput(input: HeatmapInput) {
  const [pointed, setPointed] = useState<Cell | null>(null)
  const [anchor, setAnchor] = useState<Cell | null>(null)
  const press = useRef<Press | null>(null)
  const part = pointed && anchor ? partBetween(anchor, pointed) : null
  const clear = () => {
    press.current = null
    setAnchor(null)
  }
  const run = (chosen: Part) => {
    clear()
    input.explain?.run(chosen)
  }
  const selection: Selection = { pointed, anchor, part, setPointed, setAnchor, clear, run }
  const onBlur = () => {
    clear()
    setPointed(null)
  }
  const pointer = usePointer(input, selection, press)
  const onKeyDown = useKeys(input, selection)
  return { pointed, part, handlers: { ...pointer, onKeyDown, onBlur } }
}

/** A button of the pointer that is down. */
interface Press {
  x: number
  y: number
  cell: Cell
  dragged: boolean
}

interface Selection {
  pointed: Cell | null
  anchor: Cell | null
  part: Part | null
  setPointed: (cell: Cell | null) => void
  setAnchor: (cell: Cell | null) => void
  clear: () => void
  run: (part: Part) => void
}

function usePointer({ columns, rows, explain }: HeatmapInput, selection: Selection, press: RefObject<Press | null>) {
  const { anchor, setPointed, setAnchor, clear, run } = selection
  const cellAt = ({ currentTarget, clientX, clientY }: PointerEvent): Cell => {
    const box = currentTarget.getBoundingClientRect()
    const place = (share: number, count: number) => Math.min(Math.max(Math.floor(share * count), 0), count - 1)
    return {
      column: place((clientX - box.left) / box.width, columns),
      row: place((box.bottom - clientY) / box.height, rows),
    }
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !explain || !(explain.choosing || event.shiftKey)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    press.current = { x: event.clientX, y: event.clientY, cell: cellAt(event), dragged: false }
  }
  const onPointerMove = (event: PointerEvent) => {
    const from = press.current
    const cell = cellAt(event)
    setPointed(cell)
    if (!from) return
    from.dragged ||= Math.hypot(event.clientX - from.x, event.clientY - from.y) > clickTolerance
    if (from.dragged) setAnchor(from.cell)
  }
  const onPointerUp = (event: PointerEvent) => {
    const from = press.current
    if (from && (from.dragged || explain?.choosing)) run(partBetween(from.cell, cellAt(event)))
    else clear()
  }
  const onPointerLeave = () => {
    if (!press.current && !anchor) setPointed(null)
  }
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: clear, onPointerLeave }
}

function useKeys({ columns, rows, explain, onMove }: HeatmapInput, selection: Selection) {
  const { pointed, anchor, part, setPointed, setAnchor, clear, run } = selection
  const move = (by: readonly [columns: number, rows: number], select: boolean) => {
    const at = pointed ?? { column: columns, row: 0 }
    const within = (place: number, count: number) => Math.min(Math.max(place, 0), count - 1)
    const cell = { column: within(at.column + by[0], columns), row: within(at.row + by[1], rows) }
    const from = select ? (anchor ?? pointed ?? cell) : null
    setPointed(cell)
    setAnchor(from)
    onMove(cell, partBetween(from ?? cell, cell))
  }
  const goBack = (): boolean => {
    if (anchor) clear()
    else if (explain?.choosing) explain.cancel()
    else if (pointed) setPointed(null)
    else return false
    return true
  }
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = moves[event.key]
    const isExplaining = event.key === 'i' || (event.key === 'Enter' && explain?.choosing)
    if (by) move(by, event.shiftKey)
    else if (isExplaining && explain && pointed) run(part ?? partBetween(pointed, pointed))
    else if (event.key !== 'Escape' || !goBack()) return
    event.preventDefault()
    event.stopPropagation()
  }
}
