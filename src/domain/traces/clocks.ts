/**
 * Spans by hosts whose clocks differ. A call cannot begin before its caller, and one that its caller waits for cannot begin
 * after the caller has ended. Spans for which the clocks say so are moved into the span that called them, with
 * everything below that has the same clock.
 */
import { readTrace, type TraceSpan } from './trace.ts'

export interface ClockedSpan extends TraceSpan {
  /** `Server`, `Client`, `Producer`, `Consumer` or `Internal`, in any case; empty if it is not known. */
  kind: string
}

export interface DifferentClock {
  service: string
  /** Nanoseconds, in the span that differs most; negative for a clock that is behind. */
  ahead: number
}

export interface AlignedSpans<Span extends ClockedSpan> {
  /** In the order of the given ones. Their starts are nanoseconds since the first of them. */
  spans: Span[]
  /** How much later the first one starts than the first of the given ones, in nanoseconds. Negative for earlier. */
  origin: number
  /** How far ahead the clock of each span is that was moved, in nanoseconds, by the span's place. */
  ahead: ReadonlyMap<number, number>
  /** By service, the one that differs most first. */
  clocks: DifferentClock[]
}

/** Nanoseconds that a start may be off because clocks are read to the millisecond. */
const tolerance = 1_000_000

export function alignClocks<Span extends ClockedSpan>(spans: readonly Span[]): AlignedSpans<Span> {
  const shifts = shiftsOf(spans)
  const moved = spans.map((span) => ({ ...span, start: span.start + (shifts.get(span) ?? 0) }))
  const origin = moved.reduce((first, { start }) => Math.min(first, start), moved[0]?.start ?? 0)
  const ahead = new Map<number, number>()
  const services = new Map<string, number>()
  spans.forEach((span, at) => {
    const offset = -(shifts.get(span) ?? 0)
    if (offset === 0) return
    ahead.set(at, offset)
    if (Math.abs(offset) > Math.abs(services.get(span.service) ?? 0)) services.set(span.service, offset)
  })
  return {
    spans: moved.map((span) => ({ ...span, start: span.start - origin })),
    origin,
    ahead,
    clocks: [...services]
      .map(([service, offset]) => ({ service, ahead: offset }))
      .toSorted((a, b) => Math.abs(b.ahead) - Math.abs(a.ahead)),
  }
}

/** The offset added to the start of each span. */
function shiftsOf<Span extends ClockedSpan>(spans: readonly Span[]): ReadonlyMap<Span, number> {
  const parents = new Map<string, Span>()
  for (const span of spans) if (!parents.has(span.id)) parents.set(span.id, span)
  const shifts = new Map<Span, number>()
  const known = new Map<string, number>()
  // Parents come first. A parent that comes later is below its own child: they are in a circle.
  for (const { span } of readTrace(spans).nodes) {
    const parent = parents.get(span.parentId)
    const parentShift = parent && shifts.get(parent)
    const shift = parent && parentShift !== undefined ? shiftIn(span, parent, parentShift, known) : 0
    shifts.set(span, shift)
    if (shift !== 0) known.set(span.service, shift)
  }
  return shifts
}

/** @param known the shift of the last span of each service that was moved */
function shiftIn(
  span: ClockedSpan,
  parent: ClockedSpan,
  parentShift: number,
  known: ReadonlyMap<string, number>,
): number {
  if (isSameProcess(span, parent)) return parentShift
  const from = parent.start + parentShift
  const to = from + parent.duration
  const isPossible = (shift: number) => {
    const start = span.start + shift
    return start >= from - tolerance && (isAsynchronous(span, parent) || start <= to + tolerance)
  }
  const likely = span.service === parent.service ? [parentShift, 0] : [0, parentShift]
  const found = [...likely, known.get(span.service) ?? 0].find(isPossible)
  if (found !== undefined) return found
  // The way there took as long as the way back, if the caller waited for the end.
  const way = Math.max(0, (parent.duration - span.duration) / 2)
  return Math.round(from + way) - span.start
}

const kindOf = ({ kind }: ClockedSpan) => kind.toLowerCase().replace('span_kind_', '')

/** Servers and consumers were called from elsewhere. */
function isSameProcess(span: ClockedSpan, parent: ClockedSpan): boolean {
  return span.service === parent.service && !['server', 'consumer'].includes(kindOf(span))
}

/** Messages are consumed at any time after they were sent. */
function isAsynchronous(span: ClockedSpan, parent: ClockedSpan): boolean {
  return kindOf(span) === 'consumer' || kindOf(parent) === 'producer'
}
