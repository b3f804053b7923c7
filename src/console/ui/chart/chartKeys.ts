/** What a key means on a chart. */

export type ChartKey =
  | { kind: 'move'; index: number; select: boolean }
  | { kind: 'zoom' }
  | { kind: 'pin' }
  | { kind: 'back' }

interface KeyPress {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

/** Buckets that Page Up and Page Down move by. */
const page = 10

/** What a press means with the cursor on bucket `index` (-1: nowhere) of `count`; null when it is not ours. */
export function chartKey(press: KeyPress, index: number, count: number): ChartKey | null {
  if (press.ctrlKey || press.metaKey || press.altKey || count === 0) return null
  const move = (to: number): ChartKey => ({
    kind: 'move',
    index: Math.min(Math.max(to, 0), count - 1),
    select: press.shiftKey,
  })
  // The first press shows the last bucket, whichever way it goes.
  const at = index < 0 ? count : index
  switch (press.key) {
    case 'ArrowLeft':
      return move(at - 1)
    case 'ArrowRight':
      return move(index < 0 ? count - 1 : at + 1)
    case 'PageUp':
      return move(at - page)
    case 'PageDown':
      return move(index < 0 ? count - 1 : at + page)
    case 'Home':
      return move(0)
    case 'End':
      return move(count - 1)
    case 'Enter':
      return { kind: 'zoom' }
    case ' ':
      return { kind: 'pin' }
    case 'Escape':
      return { kind: 'back' }
    default:
      return null
  }
}
