import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { clampWidth, maxWidth, minWidth, widthStep, type Direction } from '../row/columnLayout.ts'
import * as base from '#console/ui/base/base.module.css'
import * as css from '../search.module.css'
import type { ColumnChoices } from './ColumnMenu.tsx'

const ColumnMenu = lazyComponent(async () => (await import('./ColumnMenu.tsx')).ColumnMenu)

interface ColumnHeadProps extends ColumnChoices {
  onDropOn?: ((from: number) => void) | undefined
  onWidth?: ((width: number) => void) | undefined
  title: string
  place: number
  direction: Direction | null
  /** Only read out, because the rows are cards: nothing in it takes the focus. */
  hidden: boolean
}

const dragType = 'application/x-search-column'

/** The head of a column: a menu to sort, move and remove it, and an edge to resize it. It can be dragged to another place. */
export function ColumnHead(props: ColumnHeadProps) {
  const { title, place, direction, hidden, onSort, onMove, onDropOn, onRemove, onWidth } = props
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  if (hidden) return <span role="columnheader">{title}</span>
  return (
    <span
      role="columnheader"
      className={css.columnHead}
      tabIndex={-1}
      title={title}
      aria-sort={direction ?? 'none'}
      {...(onDropOn && {
        onDragOver: (event) => event.dataTransfer.types.includes(dragType) && event.preventDefault(),
        onDrop: (event) => onDropOn(Number(event.dataTransfer.getData(dragType))),
      })}
    >
      <button
        type="button"
        className={`${base.plainButton} ${css.columnHeadButton}`}
        draggable={onMove !== undefined}
        onDragStart={(event) => event.dataTransfer.setData(dragType, String(place))}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerEnter={ColumnMenu.preload}
        onFocus={ColumnMenu.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span className={css.columnHeadTitle}>{title}</span>
        {direction && <Arrow size={12} aria-hidden />}
      </button>
      {anchor && (
        <ColumnMenu anchor={anchor} onClose={() => setAnchor(null)} {...{ direction, onSort, onMove, onRemove }} />
      )}
      {onWidth && <ResizeEdge title={title} onWidth={onWidth} />}
    </span>
  )
}

/** The right edge of a column: drag it, or focus it and press the arrow keys. */
function ResizeEdge({ title, onWidth }: { title: string; onWidth: (width: number) => void }) {
  const [drag, setDrag] = useState<{ x: number; width: number } | null>(null)
  const [width, setWidth] = useState<number | null>(null)
  const widthOf = (edge: Element) => Math.round(edge.parentElement?.getBoundingClientRect().width ?? minWidth)
  const onKeyDown = (event: KeyboardEvent) => {
    const delta = { ArrowLeft: -widthStep, ArrowRight: widthStep }[event.key]
    if (delta === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const next = clampWidth(widthOf(event.currentTarget) + delta)
    setWidth(next)
    onWidth(next)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drag) onWidth(clampWidth(drag.width + event.clientX - drag.x))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a value is a control
    <span
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys are pressed here
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      aria-valuenow={width ?? minWidth}
      className={css.edge}
      onFocus={({ currentTarget }) => setWidth(widthOf(currentTarget))}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ x: event.clientX, width: widthOf(event.currentTarget) })
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => setDrag(null)}
    />
  )
}
