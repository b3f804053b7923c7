import { useState, type ReactNode } from 'react'
import { gridColumns } from '#contract/stack/dashboards/dashboards.ts'
import { gridHeight, type GridPosition } from '#domain/dashboards/gridPositions.ts'
import { readPicture, type Shape } from './pictures.ts'
import * as css from '../charting.module.css'

/** Rows of the grid that are shown at least and at most. */
const [fewestRows, maxRows] = [8, 28]

interface ThumbnailProps {
  connectionId: string
  dashboardId: string
  /** The places of the tiles, for a dashboard that this browser has not seen. */
  places: readonly GridPosition[]
}

/** A dashboard as it was last seen in this browser, or the places of its tiles, to recognize it by. */
export function Thumbnail({ connectionId, dashboardId, places }: ThumbnailProps) {
  const [picture] = useState(() => readPicture(connectionId, dashboardId))
  const tiles = picture?.tiles ?? places.map((place) => ({ ...place, shape: { kind: 'plain' } as const }))
  const rows = Math.min(Math.max(gridHeight(tiles), fewestRows), maxRows)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${gridColumns} ${rows}`}
      preserveAspectRatio="none"
      className={css.thumbnail}
      data-seen={picture !== undefined}
    >
      {tiles.map(({ x, y, w, h, shape }) => (
        <g key={`${x},${y},${w},${h}`} transform={`translate(${x + 0.15} ${y + 0.2}) scale(${w - 0.3} ${h - 0.4})`}>
          <rect width="1" height="1" className={css.tile} />
          {drawShape(shape)}
        </g>
      ))}
    </svg>
  )
}

/** In a square of 1, with some room around. */
function drawShape(shape: Shape): ReactNode {
  switch (shape.kind) {
    case 'plain':
      return null
    case 'lines':
      return shape.lines.map((line, at) => (
        // Lines have no identity besides their place.
        // oxlint-disable-next-line react/no-array-index-key
        <path key={at} d={pathOf(line)} className={css.thumbnailLine} style={{ stroke: `var(--chart-${at + 1})` }} />
      ))
    case 'columns':
      return shape.values.map((value, at) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          x={0.06 + (0.88 * at) / shape.values.length}
          y={0.9 - 0.75 * value}
          width={0.7 / shape.values.length}
          height={0.75 * value}
          className={css.thumbnailBar}
        />
      ))
    case 'bars':
      return shape.values.map((value, at) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          x={0.06}
          y={0.15 + (0.8 * at) / shape.values.length}
          width={0.88 * value}
          height={0.5 / shape.values.length}
          className={css.thumbnailBar}
        />
      ))
  }
}

function pathOf(values: readonly (number | null)[]): string {
  return values
    .map((value, at) => {
      if (value === null) return ''
      const command = at === 0 || values[at - 1] === null ? 'M' : 'L'
      const x = 0.06 + (0.88 * at) / Math.max(1, values.length - 1)
      return `${command}${x.toFixed(3)},${(0.9 - 0.75 * value).toFixed(3)}`
    })
    .join('')
}
