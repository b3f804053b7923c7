import { arc, pie, type PieArcDatum } from 'd3-shape'
import type { Unit } from '#domain/charts/units.ts'
import type { TileTotal } from '#console/charting/tiles/tileData.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { othersColor, useNameColors } from './colors.ts'
import { Value } from './Value.tsx'
import * as css from './tiles.module.css'

/** More slices than this are hard to distinguish: the smallest are combined. */
const maxSlices = 9

/** ID of the slice that combines the smallest: no text of a group is like it, which begins with a bracket. */
const others = 'others'

interface Slice {
  id: string
  name: string
  value: number
}

/** Shares of a whole, with their numbers beside them. Negative and missing values have no slice. */
export function PieTile({
  total,
  unit,
  label,
  size: room,
}: {
  total: TileTotal
  unit: Unit
  label: string
  size: number
}) {
  const slices = slicesOf(total)
  const colors = useNameColors(slices.flatMap(({ id, name }) => (id === others ? [] : name)))
  const colorOf = (id: string, name: string) => (id === others ? othersColor : (colors.get(name) ?? othersColor))
  const sum = slices.reduce((all, { value }) => all + value, 0)
  const size = Math.max(60, Math.min(room - 16, 260))
  return (
    <div className={css.pieTile}>
      <svg width={size} height={size} viewBox={`${-size / 2} ${-size / 2} ${size} ${size}`} aria-hidden>
        {sliceAngles(slices).map((angles) => (
          <path key={angles.data.id} d={ring(size)(angles) ?? ''} fill={colorOf(angles.data.id, angles.data.name)} />
        ))}
      </svg>
      <ScrollRegion as="ul" label={label} className={css.pieScroller}>
        {slices.map(({ id, name, value }) => (
          <li key={id} className={css.slice}>
            <div className={css.pieSwatch} style={{ backgroundColor: colorOf(id, name) }} />
            <span className={css.pieGroupName}>{name}</span>
            <span>
              <Value value={value} unit={unit} approximate={total.columns[0]?.approximate} />
            </span>
            <span className={css.percentage}>{sum > 0 ? `${Math.round((value / sum) * 100)} %` : ''}</span>
          </li>
        ))}
      </ScrollRegion>
    </div>
  )
}

/** From the top clockwise, in the order of the list. */
const sliceAngles = pie<Slice>()
  .sortValues(null)
  .value(({ value }) => value)

const ring = (size: number) =>
  arc<PieArcDatum<Slice>>()
    .innerRadius(size * 0.28)
    .outerRadius(size * 0.48)

function slicesOf(total: TileTotal): Slice[] {
  const all = total.rows.flatMap(({ group, others: count, values: [value] }) =>
    value != null && value > 0
      ? [{ id: count ? others : JSON.stringify(group), name: group.join(' · ') || 'all', value, count: count ?? 1 }]
      : [],
  )
  if (all.length <= maxSlices) return all
  const rest = all.slice(maxSlices - 1)
  const count = rest.reduce((sum, { count }) => sum + count, 0)
  return [
    ...all.slice(0, maxSlices - 1),
    {
      id: others,
      name: `${count.toLocaleString('en-US')} others`,
      value: rest.reduce((sum, { value }) => sum + value, 0),
    },
  ]
}
