/** The action of a key on a chart. */

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
