import { useCallback, useMemo, type ReactNode } from 'react'
import { GridLayout, useContainerWidth, verticalCompactor, type Layout } from 'react-grid-layout'
import 'react-grid-layout/css/styles.css'
import { clampPlace } from '#console/telemetry/gridPlaces.ts'
import { nonce } from '#console/ui/base/nonce.ts'
import { gridColumns, type Tile } from '#contract/dashboards.ts'
import { inReadingOrder, minHeight, minWidth } from '../model/layout.ts'
import css from './TileGrid.module.css'

// During a drag, the grid adds a style to the page, and reads the nonce under this name.
Object.defineProperty(globalThis, '__webpack_nonce__', { value: nonce, configurable: true })

/** Height of a grid row and the gap between tiles, pixels: as deployments draw them. */
export const rowHeight = 32
const gap = 10
/** Below this width, tiles are stacked. */
export const stackBelow = 720

/** New places of tiles, by id. */
export type Places = { id: string; x: number; y: number; w: number; h: number }[]

interface TileGridProps {
  tiles: readonly Tile[]
  renderTile: (tile: Tile) => ReactNode
  /** Set if tiles can be dragged and resized. Called with the new positions. */
  onPlaces?: ((places: Places) => void) | undefined
}

/** The 24-column grid. In a narrow window the tiles are stacked in reading order. */
export function TileGrid({ tiles, renderTile, onPlaces }: TileGridProps) {
  const { width, containerRef, mounted } = useContainerWidth()
  const layout = useMemo<Layout>(
    () =>
      tiles.map((tile, index) => ({
        i: tile.id ?? `#${index}`,
        ...clampPlace(tile),
        minW: minWidth,
        minH: minHeight,
      })),
    [tiles],
  )
  const stop = useCallback(
    (next: Layout) => onPlaces?.(next.map(({ i, x, y, w, h }) => ({ id: i, x, y, w, h }))),
    [onPlaces],
  )
  return (
    <div ref={containerRef} className={css.tileGrid}>
      {mounted && width < stackBelow && (
        <div className={css.singleColumn}>
          {inReadingOrder(tiles).map((tile, index) => (
            <div key={tile.id ?? index} style={{ height: heightOf(tile) }}>
              {renderTile(tile)}
            </div>
          ))}
        </div>
      )}
      {mounted && width >= stackBelow && (
        <GridLayout
          width={width}
          layout={layout}
          gridConfig={gridConfig}
          compactor={verticalCompactor}
          dragConfig={onPlaces ? dragConfig : still}
          resizeConfig={onPlaces ? resizeConfig : still}
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
/** What is dragged is the handle: a chart's own drag selects a range. */
export const handleClass = 'tile-handle'
const dragConfig = { enabled: true, handle: `.${handleClass}` }
const resizeConfig = { enabled: true, handles: ['se', 'e', 's'] as const }
const still = { enabled: false }

/** Height of a stacked tile in pixels; a number keeps its grid height. */
function heightOf(tile: Tile): number {
  const { h } = clampPlace(tile)
  return Math.min(Math.max(h * (rowHeight + gap) - gap, 140), 420)
}
