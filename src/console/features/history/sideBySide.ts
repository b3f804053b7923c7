/** Two texts as lines beside each other. */
import { diffLines } from 'diff'

export interface SideLine {
  number: number
  text: string
}

export type SideRow =
  | { state: 'same'; left: SideLine; right: SideLine }
  | { state: 'changed'; left: SideLine | null; right: SideLine | null }
  /** Lines that are the same, left out. */
  | { state: 'gap'; count: number }

/** Lines around a change that are shown. */
const context = 3

export function sideBySide(before: string, after: string): SideRow[] {
  const rows: SideRow[] = []
  let [left, right] = [0, 0]
  const parts = diffLines(before, after)
  for (const [index, part] of parts.entries()) {
    const lines = part.value.replace(/\n$/, '').split('\n')
    if (!part.added && !part.removed) {
      for (const text of lines)
        rows.push({ state: 'same', left: { number: ++left, text }, right: { number: ++right, text } })
      continue
    }
    // An addition that follows a removal takes its place.
    if (part.added && parts[index - 1]?.removed) continue
    const next = parts[index + 1]
    const added = part.added ? lines : part.removed && next?.added ? next.value.replace(/\n$/, '').split('\n') : []
    const removed = part.removed ? lines : []
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [was, is] = [removed[at], added[at]]
      rows.push({
        state: 'changed',
        left: was === undefined ? null : { number: ++left, text: was },
        right: is === undefined ? null : { number: ++right, text: is },
      })
    }
  }
  return withoutFar(rows)
}

/** Lines far from any change are left out. */
function withoutFar(rows: readonly SideRow[]): SideRow[] {
  const changed = rows.flatMap(({ state }, index) => (state === 'changed' ? [index] : []))
  const near = new Set(
    changed.flatMap((at) => Array.from({ length: 2 * context + 1 }, (_, step) => at - context + step)),
  )
  const shown: SideRow[] = []
  let hidden = 0
  for (const [index, row] of rows.entries()) {
    if (!near.has(index)) {
      hidden += 1
      continue
    }
    if (hidden > 0) shown.push({ state: 'gap', count: hidden })
    hidden = 0
    shown.push(row)
  }
  if (hidden > 0) shown.push({ state: 'gap', count: hidden })
  return shown
}
