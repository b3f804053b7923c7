import * as charting from '#console/charting/charting.module.css'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { formatValue } from '#domain/charts/units.ts'
import { rangeText } from './heatmapPart.ts'
import { HeatmapPlot, totalOf, type HeatmapPlotProps } from './HeatmapPlot.tsx'
import * as css from './heatmap.module.css'

/** Cells over time and values, or the rows of the scale as a table. */
export function HeatmapDrawing({ view, ...drawing }: HeatmapPlotProps & { view: 'chart' | 'table' }) {
  return view === 'table' ? <HeatmapTable {...drawing} /> : <HeatmapPlot {...drawing} />
}

/** The rows of the scale with values, the greatest first. */
function HeatmapTable({ scale, cells, unit, label, isStale }: HeatmapPlotProps) {
  return (
    <ScrollRegion as="div" label={`${label}, rows by value`} className={css.heatmapScroller}>
      <table className={charting.compactTable} data-stale={isStale}>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col" className={charting.compactTableNumber}>
              Rows
            </th>
          </tr>
        </thead>
        <tbody>
          {cells
            .map((row, at) => ({ range: rangeText(scale, at, at, unit), total: totalOf(row), at }))
            .toReversed()
            .filter(({ total }) => total > 0)
            .map(({ range, total, at }) => (
              <tr key={at}>
                <td>{range}</td>
                <td className={charting.compactTableNumber}>{formatValue(total)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
