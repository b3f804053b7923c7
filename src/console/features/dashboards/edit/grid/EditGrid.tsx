import { useCallback, useMemo, type ReactNode } from 'react'
import { GridLayout, verticalCompactor, type Layout } from 'react-grid-layout'
import { clampPosition } from '#domain/dashboards/gridPositions.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { nonce } from '#console/ui/base/nonce.ts'
import { gridColumns, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { minHeight, minWidth } from '../../model/layout.ts'
import { gap, rowHeight, stackBelow, TileGrid } from '../../view/TileGrid.tsx'
import * as css from '../../dashboards.module.css'

// During a drag, the grid adds a style to the page, and reads the nonce under this name.
Object.defineProperty(globalThis, '__webpack_nonce__', { value: nonce, configurable: true })

/** New places of tiles, by id. */
export type Places = { id: string; x: number; y: number; w: number; h: number }[]

interface EditGridProps {
  tiles: readonly Tile[]
  renderTile: (tile: Tile) => ReactNode
  /** Tiles were dragged or resized. */
  onPlaces: (places: Places) => void
}

/** The grid, whose tiles can be dragged and resized where it has more than one column. */
export function EditGrid({ tiles, renderTile, onPlaces }: EditGridProps) {
  const [ref, { width }] = useElementSize()
  const layout = useMemo<Layout>(
    () =>
      tiles.map((tile, index) => ({
        i: tile.id ?? `#${index}`,
        ...clampPosition(tile),
        minW: minWidth,
        minH: minHeight,
      })),
    [tiles],
  )
  const stop = useCallback(
    (next: Layout) => onPlaces(next.map(({ i, x, y, w, h }) => ({ id: i, x, y, w, h }))),
    [onPlaces],
  )
  return (
    <div ref={ref} className={css.editGrid}>
      {width > 0 && width < stackBelow && <TileGrid tiles={tiles} renderTile={renderTile} />}
      {width >= stackBelow && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={gridConfig}
          compactor={verticalCompactor}
          dragConfig={dragConfig}
          resizeConfig={resizeConfig}
          onDragStop={stop}
          onResizeStop={stop}
        >
          {tiles.map((tile, index) => (
            <div key={tile.id ?? `#${index}`}>{renderTile(tile)}</div>
          ))}
        </GridLayout>
      )}
    </div>
  )
}

const gridConfig = { cols: gridColumns, rowHeight, margin: [gap, gap], containerPadding: [0, 0] } as const
/** Only the handle can be dragged: a chart's own drag selects a range. */
export const handleClass = 'tile-handle'
const dragConfig = { enabled: true, handle: `.${handleClass}` }
const resizeConfig = { enabled: true, handles: ['se', 'e', 's'] as const }
