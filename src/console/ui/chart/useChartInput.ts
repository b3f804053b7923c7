import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { bucketEnd } from '#domain/time/localBuckets.ts'
import type { Span } from '#domain/time/span.ts'
import { selectedSpan } from '../time/range.ts'
import type { ChartCursor } from './chartCursor.ts'
import type { PlotModel } from './plotModel.ts'
import { plotScale } from './plotScale.ts'
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
  /** ID of the chart. */
  chart: string
  cursor: ChartCursor
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
 * Pointer and keyboard on a plot: cursor that follows or stays, selected range, zoom and reset. A range that is dragged with
 * Shift is explained.
 */
export function useChartInput(input: ChartInput) {
  const plot = usePlotSelection(input)
  const pointer = usePointer(input, plot)
  const keyboard = keyboardHandlers(input, plot)
  const { held, setHeld, selection } = plot
  return { held, release: () => setHeld(null), selection, handlers: { ...pointer, ...keyboard } }
}

/** The held cursor and the selected range of a plot. */
function usePlotSelection({ brush, onZoom, explain }: ChartInput) {
  const [held, setHeld] = useState<HeldCursor | null>(null)
  const [ownSelection, setOwnSelection] = useState<Span | null>(null)
  /** The bucket at which a selection by keyboard began. */
  const anchor = useRef<number | null>(null)
  const setSelection = brush ? brush.onChange : setOwnSelection
  const endSelection = () => {
    anchor.current = null
    setSelection(null)
  }
  const leaveFor = (run: ((span: Span) => void) | undefined) => (range: Span) => {
    endSelection()
    setHeld(null)
    run?.(range)
  }
  return {
    held,
    setHeld,
    selection: brush ? brush.span : ownSelection,
    setSelection,
    endSelection,
    anchor,
    zoom: leaveFor(onZoom),
    explainRange: leaveFor(explain?.run),
  }
}

type PlotSelection = ReturnType<typeof usePlotSelection>

/** The range of whole buckets, so that a zoomed range starts and ends where bars and points do. */
function bucketSpan({ frame: { times }, bucketMs, zone }: PlotModel, a: number, b: number): Span {
  return selectedSpan(times[Math.min(a, b)]!, bucketEnd(times[Math.max(a, b)]!, bucketMs, zone))
}

function usePointer({ model, chart, cursor, onZoom, brush, explain }: ChartInput, plot: PlotSelection) {
  const press = useRef<{ x: number; time: number; dragged: boolean; explains: boolean } | null>(null)
  const { held, setHeld, setSelection } = plot
  const { frame, xs } = model
  const { times } = frame
  const positionOf = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect()
    const [x, y] = [clientX - box.left, clientY - box.top]
    const { left, right, top, bottom, timeAt } = plotScale(model)
    const isInside = x >= left && x <= right && y >= top && y <= bottom
    return { x, y, time: timeAt(x), isInside }
  }
  const dragged = (from: number, to: number) => bucketSpan(model, bucketIndex(times, from), bucketIndex(times, to))
  return {
    onPointerMove: (event: PointerEvent) => {
      if (held && !held.pinned) setHeld(null)
      const { x, y, time, isInside } = positionOf(event)
      // The tooltip keeps the cursor where it is.
      if (isOnPlot(event) && xs.length > 0) {
        if (isInside) cursor.moveTo({ chart, time: xs[nearestIndex(xs, time)]!, y })
        else cursor.leave(chart)
      }
      const from = press.current
      if (!from || !(onZoom || brush || from.explains)) return
      from.dragged ||= Math.abs(x - from.x) > clickTolerance
      if (from.dragged) setSelection(dragged(from.time, time))
    },
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || times.length === 0 || !isOnPlot(event)) return
      // A range may be dragged beyond the edge of the chart.
      if (event.target instanceof Element) event.target.setPointerCapture(event.pointerId)
      const explains = explain !== undefined && (explain.choosing || event.shiftKey)
      press.current = { ...positionOf(event), dragged: false, explains }
    },
    onPointerUp: (event: PointerEvent) => {
      const from = press.current
      press.current = null
      if (!from) return
      const { y, time } = positionOf(event)
      if (from.explains && (from.dragged || explain?.choosing)) plot.explainRange(dragged(from.time, time))
      else if (from.dragged && brush) brush.onChange(dragged(from.time, time))
      else if (from.dragged) plot.zoom(dragged(from.time, time))
      else setHeld(held?.pinned ? null : { time: times[nearestIndex(xs, time)]!, y, pinned: true })
    },
    onPointerCancel: () => {
      press.current = null
      plot.endSelection()
    },
    onPointerLeave: () => cursor.leave(chart),
  }
}

function keyboardHandlers(input: ChartInput, plot: PlotSelection) {
  const { model, onZoom, onReset, brush, events, explain, onMove } = input
  const { held, setHeld, selection, setSelection, endSelection, anchor } = plot
  const { times } = model.frame
  const moveTo = (index: number, select: boolean, before: number) => {
    setHeld({ time: times[index]!, y: null, pinned: held?.pinned ?? false })
    if (!select && brush) anchor.current = null
    else if (!select) endSelection()
    else anchor.current ??= before < 0 ? index : before
    const range = anchor.current === null ? null : bucketSpan(model, anchor.current, index)
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
  /** The selected range, or else the bucket of the cursor. */
  const rangeAt = (index: number) => selection ?? (index < 0 ? null : bucketSpan(model, index, index))
  /** Whether there is something to do. */
  const run = (action: ChartAction, index: number): boolean => {
    if (action.kind === 'move') moveTo(action.index, action.select, index)
    else if (action.kind === 'pin') setHeld(held && { ...held, pinned: !held.pinned })
    else if (action.kind === 'explain' || (action.kind === 'zoom' && explain?.choosing)) {
      const range = rangeAt(index)
      if (!range || !explain) return false
      plot.explainRange(range)
    } else if (action.kind === 'zoom') {
      if (!selection || !onZoom) return false
      plot.zoom(selection)
    } else if (action.kind === 'events') {
      if (!events || events.problemOf(null) !== undefined) return false
      events.view(null, rangeAt(index) ?? undefined)
    } else return goBack()
    return true
  }
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (!isOnPlot(event) && !(event.key === 'Escape' && isWithin(event))) return
      const index = held ? nearestIndex(times, held.time) : -1
      const action = chartKey(event, index, times.length)
      if (!action || !run(action, index)) return
      event.preventDefault()
      event.stopPropagation()
    },
    onBlur: () => {
      anchor.current = null
      if (!brush) setSelection(null)
      if (!held?.pinned) setHeld(null)
    },
  }
}

/** Whether an event is meant for the plot, and not for its pinned tooltip. */
const isOnPlot = (event: PlotEvent): boolean =>
  isWithin(event) && event.target instanceof Element && !event.target.closest('[data-testid=chart-tooltip]')

const isWithin = ({ target, currentTarget }: PlotEvent): boolean =>
  target instanceof Node && currentTarget.contains(target)

interface PlotEvent {
  target: EventTarget
  currentTarget: Element
}

type ChartAction =
  | { kind: 'move'; index: number; select: boolean }
  | { kind: 'zoom' | 'pin' | 'back' | 'events' | 'explain' }

type KeyPress = Record<'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey', boolean> & { key: string }

/** Buckets that Page Up and Page Down move by. */
const page = 10

/** Where each key moves the cursor from bucket `at` of `count`. Without a cursor, the first press goes to the last bucket. */
const moves: Record<string, (at: number, count: number) => number> = {
  ArrowLeft: (at, count) => (at < 0 ? count : at) - 1,
  ArrowRight: (at, count) => (at < 0 ? count - 1 : at + 1),
  PageUp: (at, count) => (at < 0 ? count : at) - page,
  PageDown: (at, count) => (at < 0 ? count - 1 : at + page),
  Home: () => 0,
  End: (_, count) => count - 1,
}
const commands: Record<string, ChartAction> = {
  Enter: { kind: 'zoom' },
  ' ': { kind: 'pin' },
  Escape: { kind: 'back' },
  v: { kind: 'events' },
  i: { kind: 'explain' },
}

/** The action of a key press with the cursor on bucket `index` (-1: no cursor) of `count`; null for keys of the page. */
export function chartKey(press: KeyPress, index: number, count: number): ChartAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey || count === 0) return null
  const move = moves[press.key]
  if (!move) return commands[press.key] ?? null
  return { kind: 'move', index: Math.min(Math.max(move(index, count), 0), count - 1), select: press.shiftKey }
}
