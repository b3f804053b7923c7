import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { bucketEnd } from '#domain/time/localBuckets.ts'
import type { Span } from '#domain/time/span.ts'
import { selectedSpan } from '../time/range.ts'
import { chartKey } from './chartKeys.ts'
import type { PlotModel } from './plotModel.ts'
import { bucketIndex, nearestIndex } from '../series/series.ts'
import type { ChartEvents, ChartExplain } from '../series/chartEvents.ts'
import type { HeldCursor } from './pointed.ts'

/** A selected range that stays until something else is selected or it is cleared. */
export interface ChartBrush {
  span: Span | null
  onChange: (span: Span | null) => void
}

interface ChartInput {
  model: PlotModel
  onZoom?: ((span: Span) => void) | undefined
  onReset?: (() => void) | undefined
  /** Without it a range that is dragged is zoomed into at once. */
  brush?: ChartBrush | undefined
  events?: ChartEvents | undefined
  explain?: ChartExplain | undefined
  /** The keyboard moved the cursor. */
  onMove: (index: number, selection: Span | null) => void
}

/** Pixels that a pointer may move during a click. */
const clickTolerance = 4

/**
 * Pointer and keyboard on a plot: cursor that stays, selected range, zoom and reset. A range that is dragged with Shift is
 * explained. recharts follows the moving pointer.
 */
export function useChartInput({ model, onZoom, onReset, brush, events, explain, onMove }: ChartInput) {
  const [held, setHeld] = useState<HeldCursor | null>(null)
  const [ownSelection, setOwnSelection] = useState<Span | null>(null)
  const selection = brush ? brush.span : ownSelection
  const setSelection = brush ? brush.onChange : setOwnSelection
  /** Epoch milliseconds at a pixel of the chart, as its axis has it. */
  const timeAt = useRef<(x: number) => number>(null)
  const press = useRef<{ x: number; time: number; dragged: boolean; explains: boolean } | null>(null)
  const anchor = useRef<number | null>(null)
  const { frame, xs, span, bucketMs, zone } = model
  const { times } = frame

  const spanOf = (a: number, b: number): Span =>
    selectedSpan(times[Math.min(a, b)]!, bucketEnd(times[Math.max(a, b)]!, bucketMs, zone))
  const positionOf = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    const time = timeAt.current?.(clientX - box.left) ?? span.from
    return { x: clientX, y: clientY - box.top, time: Math.min(Math.max(time, span.from), span.to) }
  }
  const endSelection = () => {
    anchor.current = null
    setSelection(null)
  }
  const zoom = (range: Span) => {
    endSelection()
    setHeld(null)
    onZoom?.(range)
  }
  const explainRange = (range: Span) => {
    endSelection()
    setHeld(null)
    explain?.run(range)
  }
  /** Whole buckets, so that a zoomed range starts and ends where bars and points do. */
  const dragged = (from: number, to: number) => spanOf(bucketIndex(times, from), bucketIndex(times, to))

  const onPointerMove = (event: PointerEvent) => {
    if (held && !held.pinned) setHeld(null)
    const from = press.current
    if (!from || !(onZoom || brush || from.explains)) return
    from.dragged ||= Math.abs(event.clientX - from.x) > clickTolerance
    if (from.dragged) setSelection(dragged(from.time, positionOf(event).time))
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || times.length === 0 || !isOnPlot(event)) return
    // The drawing captures the pointer, so that recharts receives moves beyond its edge.
    if (event.target instanceof Element) event.target.setPointerCapture(event.pointerId)
    const explains = explain !== undefined && (explain.choosing || event.shiftKey)
    press.current = { ...positionOf(event), dragged: false, explains }
  }
  const onPointerUp = (event: PointerEvent) => {
    const from = press.current
    press.current = null
    if (!from) return
    const { y, time } = positionOf(event)
    if (from.explains && (from.dragged || explain?.choosing)) explainRange(dragged(from.time, time))
    else if (from.dragged && brush) brush.onChange(dragged(from.time, time))
    else if (from.dragged) zoom(dragged(from.time, time))
    else setHeld(held?.pinned ? null : { time: times[nearestIndex(xs, time)]!, y, pinned: true })
  }
  const onPointerCancel = () => {
    press.current = null
    endSelection()
  }
  const onClickCapture = (event: MouseEvent) => {
    // recharts would keep its tooltip at the place of the click.
    if (isOnPlot(event)) event.stopPropagation()
  }

  const moveTo = (index: number, select: boolean, before: number) => {
    setHeld({ time: times[index]!, y: null, pinned: held?.pinned ?? false })
    if (!select && brush) anchor.current = null
    else if (!select) endSelection()
    else anchor.current ??= before < 0 ? index : before
    const range = anchor.current === null ? null : spanOf(anchor.current, index)
    if (range || !brush) setSelection(range)
    onMove(index, range)
  }
  const goBack = (): boolean => {
    if (selection) endSelection()
    else if (explain?.choosing) explain.cancel()
    else if (held) setHeld(null)
    else if (onReset) onReset()
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOnPlot(event) && !(event.key === 'Escape' && isWithin(event))) return
    const index = held ? nearestIndex(times, held.time) : -1
    const action = chartKey(event, index, times.length)
    if (!action) return
    if (action.kind === 'move') moveTo(action.index, action.select, index)
    else if (action.kind === 'pin') setHeld(held && { ...held, pinned: !held.pinned })
    else if (action.kind === 'explain' || (action.kind === 'zoom' && explain?.choosing)) {
      const range = selection ?? (index < 0 ? null : spanOf(index, index))
      if (!range || !explain) return
      explainRange(range)
    } else if (action.kind === 'zoom') {
      if (!selection || !onZoom) return
      zoom(selection)
    } else if (action.kind === 'events') {
      if (!events || events.problemOf(null) !== undefined) return
      events.view(null, selection ?? (index < 0 ? undefined : spanOf(index, index)))
    } else if (!goBack()) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onBlur = () => {
    anchor.current = null
    if (!brush) setSelection(null)
    if (!held?.pinned) setHeld(null)
  }

  const handlers = { onPointerMove, onPointerDown, onPointerUp, onPointerCancel, onClickCapture, onKeyDown, onBlur }
  return { held, release: () => setHeld(null), selection, timeAt, handlers }
}

/** Whether an event is meant for the plot: not for its pinned tooltip, nor for the legend, which React places inside of it. */
const isOnPlot = (event: PlotEvent): boolean =>
  isWithin(event) && event.target instanceof Element && !event.target.closest('[data-testid=chart-tooltip]')

const isWithin = ({ target, currentTarget }: PlotEvent): boolean =>
  target instanceof Node && currentTarget.contains(target)

interface PlotEvent {
  target: EventTarget
  currentTarget: Element
}
