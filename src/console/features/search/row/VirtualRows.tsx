import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useEffect, type ReactNode } from 'react'

interface VirtualRowsProps {
  /** The element that scrolls. */
  scroller: HTMLElement | null
  count: number
  /** Pixels. */
  rowHeight: number
  /** The row that must be in sight; -1 for none. */
  at: number
  /** Called when the last rows come near. */
  onNearEnd?: () => void
  /** @param top pixels from the first row */
  children: (index: number, top: number) => ReactNode
}

/** More rows than are ever in sight: a row that leaves gives its elements to one that comes. */
const pool = 200

/** The rows in sight. A scroll renders nothing but them. */
export function VirtualRows({ scroller, count, rowHeight, at, onNearEnd, children }: VirtualRowsProps) {
  // What it returns changes with every scroll; nothing here is memoised on it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 6,
    initialRect: { width: 1000, height: 640 },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at)
  }, [at, virtualizer])
  const items = virtualizer.getVirtualItems()
  const nearEnd = (items.at(-1)?.index ?? 0) >= count - 50
  useEffect(() => {
    if (nearEnd) onNearEnd?.()
  }, [nearEnd, onNearEnd])
  return (
    <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
      {items.map(({ index, start }) => (
        <Fragment key={index % pool}>{children(index, start)}</Fragment>
      ))}
    </div>
  )
}
