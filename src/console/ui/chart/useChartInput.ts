import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { type Span, selectedSpan } from '../time/range.ts'
import { chartKey } from './chartKeys.ts'
import type { CursorStore } from './cursor.ts'
import { type Drawing, isBar } from './drawing.ts'
import { bucketIndex, nearestIndex } from './series.ts'

interface ChartInput {
  /** Names this chart among those that share the cursor. */
  id: string
  store: CursorStore
  drawing: Drawing
  onZoom?: ((span: Span) => void) | undefined
  onReset?: (() => void) | undefined
  /** A cursor that the keyboard moved is read out. */
  onSay: (index: number, selection: Span | null) => void
}

/** Pixels that a press may move and still be a click. */
const clickSlack = 4
/** Pixels from a series within which it counts as pointed at. */
const reach = 30

/** Pointer and keyboard on a plot: cursor, pinned tooltip, selected range, zoom and reset. */
export function useChartInput({ id, store, drawing, onZoom, onReset, onSay }: ChartInput) {
  const [selection, setSelection] = useState<Span | null>(null)
  const press = useRef<{ x: number; time: number; dragged: boolean } | null>(null)
  const anchor = useRef<number | null>(null)
  const { frame, plot, scale, bucketMs } = drawing
  const { times } = frame

  const indexAt = (time: number) => (isBar(drawing.type) ? bucketIndex(times, time) : nearestIndex(times, time))
  const placeOf = (event: PointerEvent) => {
    // The plot has no children: the offset is its own, and so it stays while it holds the pointer.
    const x = plot.left + event.nativeEvent.offsetX
    return { x, y: plot.top + event.nativeEvent.offsetY, time: scale.timeAt(x) }
  }
  const point = (time: number, y: number) => {
    const index = indexAt(time)
    if (index < 0) return
    store.set({ time: times[index]!, owner: id, nearest: nearestSeries(drawing, index, y) })
  }
  const dropSelection = () => {
    anchor.current = null
    setSelection(null)
  }

  const onPointerMove = (event: PointerEvent) => {
    const { x, y, time } = placeOf(event)
    const from = press.current
    if (from && onZoom && Math.abs(x - from.x) > clickSlack) from.dragged = true
    if (from?.dragged) setSelection(bucketsBetween(times, from.time, time, bucketMs))
    if (!store.get().pinned) point(time, y)
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    const { x, time } = placeOf(event)
    event.currentTarget.setPointerCapture(event.pointerId)
    press.current = { x, time, dragged: false }
  }
  const onPointerUp = (event: PointerEvent) => {
    const from = press.current
    press.current = null
    if (!from) return
    const { y, time } = placeOf(event)
    if (from.dragged) {
      dropSelection()
      store.clear()
      onZoom?.(bucketsBetween(times, from.time, time, bucketMs))
      return
    }
    const pinned = !store.get().pinned
    if (pinned) point(time, y)
    store.set({ pinned })
  }
  const onPointerCancel = () => {
    press.current = null
    dropSelection()
  }
  const onPointerLeave = () => {
    if (!store.get().pinned && !press.current) store.clear()
  }

  const moveTo = (index: number, select: boolean, before: number) => {
    store.set({ time: times[index]!, owner: id, nearest: null })
    if (!select) dropSelection()
    else anchor.current ??= before < 0 ? index : before
    const start = select ? anchor.current : null
    const span = start === null ? null : bucketSpan(times, start, index, bucketMs)
    setSelection(span)
    onSay(index, span)
  }
  const goBack = (): boolean => {
    if (selection) dropSelection()
    else if (store.get().time !== null) store.clear()
    else if (onReset) onReset()
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { time, owner } = store.get()
    const index = time === null || owner !== id ? -1 : nearestIndex(times, time)
    const meant = chartKey(event, index, times.length)
    if (!meant) return
    if (meant.kind === 'move') moveTo(meant.index, meant.select, index)
    else if (meant.kind === 'pin') store.set({ pinned: index >= 0 && !store.get().pinned })
    else if (meant.kind === 'zoom') {
      if (!selection || !onZoom) return
      dropSelection()
      store.clear()
      onZoom(selection)
    } else if (!goBack()) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onBlur = () => {
    dropSelection()
    if (!store.get().pinned) store.clear()
  }

  const handlers = { onPointerMove, onPointerDown, onPointerUp, onPointerCancel, onPointerLeave, onKeyDown, onBlur }
  return { selection, handlers }
}

/** Whole buckets, so that what was zoomed into starts and ends where bars and points do. */
function bucketsBetween(times: readonly number[], a: number, b: number, bucketMs: number): Span {
  if (times.length === 0) return selectedSpan(a, b)
  return bucketSpan(times, bucketIndex(times, a), bucketIndex(times, b), bucketMs)
}

function bucketSpan(times: readonly number[], a: number, b: number, bucketMs: number): Span {
  return selectedSpan(times[Math.min(a, b)]!, times[Math.max(a, b)]! + bucketMs)
}

/** The series whose drawn value lies closest to a height, within reach; in a stack the band that holds it. */
function nearestSeries({ frame, bands, scale }: Drawing, index: number, y: number): string | null {
  let best: string | null = null
  let distance = reach
  frame.rows.forEach(({ series }, row) => {
    const high = bands[row]?.high[index]
    const low = bands[row]?.low[index]
    if (high == null || low == null) return
    const away = low > 0 && y >= scale.y(high) && y <= scale.y(low) ? 0 : Math.abs(y - scale.y(high))
    if (away >= distance) return
    distance = away
    best = series.id
  })
  return best
}
