/** A trace as a tree: the order of its spans, its critical path, and where its time went. */

export interface TraceSpan {
  id: string
  /** Empty for the first span. */
  parentId: string
  name: string
  service: string
  /** Nanoseconds since the start of the trace. */
  start: number
  /** Nanoseconds. */
  duration: number
  failed: boolean
}

export interface TraceNode<Span extends TraceSpan> {
  span: Span
  depth: number
  /** Whether the failure of the trace began here: of the failed spans without a failed one below, it ended first. */
  failedFirst: boolean
}

/** A stretch of time for which the trace waited for one span. */
export interface Segment {
  spanId: string
  start: number
  end: number
}

export interface Trace<Span extends TraceSpan> {
  /** Every span once, children after their parent by start. */
  nodes: TraceNode<Span>[]
  /** Nanoseconds from the first start to the last end. */
  duration: number
  criticalPath: Segment[]
}

const endOf = (span: TraceSpan) => span.start + span.duration

/** Spans without a known parent are roots. A span that is its own ancestor is one too. */
export function readTrace<Span extends TraceSpan>(spans: readonly Span[]): Trace<Span> {
  const sorted = spans.toSorted((a, b) => a.start - b.start || endOf(b) - endOf(a))
  const ids = new Set(sorted.map(({ id }) => id))
  const children = new Map<string, Span[]>()
  const roots: Span[] = []
  for (const span of sorted) {
    const isRoot = !ids.has(span.parentId) || span.parentId === span.id
    if (isRoot) {
      roots.push(span)
      continue
    }
    const siblings = children.get(span.parentId)
    if (siblings) siblings.push(span)
    else children.set(span.parentId, [span])
  }
  const nodes = walk(sorted, roots, (id) => children.get(id) ?? [])
  return {
    nodes: markFailures(nodes),
    duration: sorted.reduce((last, span) => Math.max(last, endOf(span)), 0),
    criticalPath: criticalPathOf(roots, (id) => children.get(id) ?? []),
  }
}

type ChildrenOf<Span> = (id: string) => readonly Span[]

function walk<Span extends TraceSpan>(
  all: readonly Span[],
  roots: readonly Span[],
  childrenOf: ChildrenOf<Span>,
): { span: Span; depth: number }[] {
  const found: { span: Span; depth: number }[] = []
  const seen = new Set<Span>()
  const visit = (root: Span) => {
    const stack = [{ span: root, depth: 0 }]
    for (let next = stack.pop(); next; next = stack.pop()) {
      if (seen.has(next.span)) continue
      seen.add(next.span)
      found.push(next)
      const { depth } = next
      stack.push(
        ...childrenOf(next.span.id)
          .map((span) => ({ span, depth: depth + 1 }))
          .toReversed(),
      )
    }
  }
  roots.forEach(visit)
  // Only spans in a circle are left.
  all.forEach((span) => !seen.has(span) && visit(span))
  return found
}

function markFailures<Span extends TraceSpan>(nodes: readonly { span: Span; depth: number }[]): TraceNode<Span>[] {
  const failsBelow = (at: number) => {
    const { depth } = nodes[at]!
    for (let below = at + 1; below < nodes.length && nodes[below]!.depth > depth; below++) {
      if (nodes[below]!.span.failed) return true
    }
    return false
  }
  const origins = nodes.filter((node, at) => node.span.failed && !failsBelow(at))
  const [first] = origins.toSorted((a, b) => endOf(a.span) - endOf(b.span))
  return nodes.map((node) => ({ ...node, failedFirst: node === first }))
}

/**
 * The spans that the longest root waited for, from its end backwards: the child that ended last, then what ended before that
 * child began. Time in which no child decided belongs to the span itself.
 */
function criticalPathOf<Span extends TraceSpan>(roots: readonly Span[], childrenOf: ChildrenOf<Span>): Segment[] {
  const [longest] = roots.toSorted((a, b) => b.duration - a.duration)
  if (!longest) return []
  const segments: Segment[] = []
  const seen = new Set<Span>()
  const stack: { span: Span; end: number }[] = [{ span: longest, end: endOf(longest) }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { span, end } = next
    if (seen.has(span)) continue
    seen.add(span)
    let cursor = end
    for (const child of childrenOf(span.id).toSorted((a, b) => endOf(b) - endOf(a))) {
      // Work that goes on after its parent has ended delays nobody.
      const childEnd = Math.min(endOf(child), end)
      if (childEnd > cursor || child.start >= childEnd || child.start < span.start) continue
      if (childEnd < cursor) segments.push({ spanId: span.id, start: childEnd, end: cursor })
      stack.push({ span: child, end: childEnd })
      cursor = child.start
    }
    if (cursor > span.start) segments.push({ spanId: span.id, start: span.start, end: cursor })
  }
  return segments.toSorted((a, b) => a.start - b.start)
}

/** The services on the critical path with their share of it, 0 to 1, the largest first. */
export function timeByService<Span extends TraceSpan>({
  nodes,
  criticalPath,
}: Trace<Span>): { service: string; time: number; share: number }[] {
  const serviceOf = new Map(nodes.map(({ span }) => [span.id, span.service]))
  const times = new Map<string, number>()
  for (const { spanId, start, end } of criticalPath) {
    const service = serviceOf.get(spanId) ?? ''
    times.set(service, (times.get(service) ?? 0) + end - start)
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .map(([service, time]) => ({ service, time, share: total > 0 ? time / total : 0 }))
    .toSorted((a, b) => b.time - a.time)
}
