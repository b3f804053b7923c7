import { type Dashboard, gridColumns } from '#contract/dashboards.ts'
import { outlineOf } from '../model/outline.ts'
import css from './Thumbnail.module.css'

/** Rows of the grid that are shown at least and at most. */
const [fewestRows, mostRows] = [14, 28]

/** The layout of the tiles, to recognize a dashboard by. */
export function Thumbnail({ dashboard }: { dashboard: Dashboard }) {
  const places = outlineOf(dashboard)
  const bottom = Math.max(...places.map(({ y, h }) => y + h), 0)
  const rows = Math.min(Math.max(bottom, fewestRows), mostRows)
  return (
    <svg aria-hidden viewBox={`0 0 ${gridColumns} ${rows}`} preserveAspectRatio="none" className={css.thumbnail}>
      {places.map(({ x, y, w, h }) => (
        <rect
          key={`${x},${y},${w},${h}`}
          x={x + 0.15}
          y={y + 0.2}
          width={w - 0.3}
          height={h - 0.4}
          rx={0.3}
          fill="currentColor"
        />
      ))}
    </svg>
  )
}
