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

/** Rows that are rendered above and below those in sight. */
const overscan = 6
const firstHeight = 640

/** The rows in sight. A scroll renders nothing but them. */
export function VirtualRows({ scroller, count, rowHeight, at, onNearEnd, children }: VirtualRowsProps) {
  // Its result changes with every scroll; nothing here is memoised on it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan,
    initialRect: { width: 1000, height: firstHeight },
  })
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at)
  }, [at, virtualizer])
  const items = virtualizer.getVirtualItems()
  // As many rows as are ever rendered together: the elements of a row that leaves become those of one that comes.
  const height = virtualizer.scrollRect?.height || firstHeight
  const pool = Math.ceil(height / rowHeight) + 1 + 2 * overscan
  // Elements that move in the document are laid out again. While it scrolls they stay where they are; then they are in reading order.
  const drawn = virtualizer.isScrolling ? items.toSorted((a, b) => (a.index % pool) - (b.index % pool)) : items
  const nearEnd = (items.at(-1)?.index ?? 0) >= count - 50
  useEffect(() => {
    if (nearEnd) onNearEnd?.()
  }, [nearEnd, onNearEnd])
  return (
    <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
      {drawn.map(({ index, start }) => (
        <Fragment key={index % pool}>{children(index, start)}</Fragment>
      ))}
    </div>
  )
}
