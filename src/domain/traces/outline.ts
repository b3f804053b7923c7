/** The spans of a trace that are in sight while some are collapsed. */
import type { TraceNode, TraceSpan } from './trace.ts'

export interface OutlineRow<Span extends TraceSpan> {
  node: TraceNode<Span>
  /** Spans below it, on all levels. */
  below: number
  collapsed: boolean
  /** Index of its parent among the rows; -1 for a root. */
  parent: number
}

/** The rows of a trace without those below a collapsed span. */
export function outlineOf<Span extends TraceSpan>(
  nodes: readonly TraceNode<Span>[],
  collapsed: ReadonlySet<string>,
): OutlineRow<Span>[] {
  const below = countsBelow(nodes)
  const rows: OutlineRow<Span>[] = []
  /** Rows of the ancestors, by depth. */
  const ancestors: number[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!
    const count = below[at]!
    const isCollapsed = count > 0 && collapsed.has(node.span.id)
    ancestors.length = node.depth
    rows.push({ node, below: count, collapsed: isCollapsed, parent: ancestors[node.depth - 1] ?? -1 })
    ancestors[node.depth] = rows.length - 1
    if (isCollapsed) at += count
  }
  return rows
}

/** How many spans are below each: they follow it, deeper than it. */
function countsBelow(nodes: readonly { depth: number }[]): number[] {
  const counts = nodes.map(() => 0)
  /** Indexes of spans whose descendants may follow. */
  const open: number[] = []
  nodes.forEach(({ depth }, at) => {
    while (open.length > 0 && nodes[open.at(-1)!]!.depth >= depth) close(open, counts, at)
    open.push(at)
  })
  while (open.length > 0) close(open, counts, nodes.length)
  return counts
}

function close(open: number[], counts: number[], end: number): void {
  const at = open.pop()!
  counts[at] = end - at - 1
}

/** Every span with others below it, but not the roots: what "Collapse all" collapses. */
export function collapsible<Span extends TraceSpan>(nodes: readonly TraceNode<Span>[]): ReadonlySet<string> {
  const parents = nodes.filter(({ depth }, at) => depth > 0 && (nodes[at + 1]?.depth ?? 0) > depth)
  return new Set(parents.map(({ span }) => span.id))
}
