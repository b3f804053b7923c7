import type { CSSProperties, ReactNode } from 'react'
import { clampPosition, gridHeight, type GridPosition } from '#domain/dashboards/gridPositions.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import { gridColumns, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { compact, inReadingOrder } from '../model/layout.ts'
import * as css from './dashboardView.module.css'

/** Height of a grid row and the gap between tiles, pixels: as deployments draw them. */
export const rowHeight = 32
export const gap = 10
/** Below this width, tiles are stacked. */
export const stackBelow = 720

interface TileGridProps {
  tiles: readonly Tile[]
  renderTile: (tile: Tile) => ReactNode
}

/** The 24-column grid. In a narrow window the tiles are stacked in reading order. */
export function TileGrid({ tiles, renderTile }: TileGridProps) {
  const [ref, { width }] = useElementSize()
  const stacked = width > 0 && width < stackBelow
  const placed = compact(inReadingOrder(tiles))
  return (
    <div ref={ref} className={css.tileGrid} style={stacked ? undefined : { height: pixels(gridHeight(placed)) }}>
      {placed.map((tile, index) => (
        <div key={tile.id ?? index} style={stacked ? { height: stackedHeight(tile) } : styleOf(tile)}>
          {renderTile(tile)}
        </div>
      ))}
    </div>
  )
}

const pixels = (rows: number) => rows * (rowHeight + gap) - gap

function styleOf({ x, y, w, h }: GridPosition): CSSProperties {
  const column = `(100% + ${gap}px) / ${gridColumns}`
  return {
    position: 'absolute',
    left: `calc(${column} * ${x})`,
    top: pixels(y) + gap,
    width: `calc(${column} * ${w} - ${gap}px)`,
    height: pixels(h),
  }
}

/** A number keeps its grid height. */
function stackedHeight(tile: Tile): number {
  return Math.min(Math.max(pixels(clampPosition(tile).h), 140), 420)
}
