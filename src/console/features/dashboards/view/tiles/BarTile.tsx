import type { Unit } from '#domain/charts/units.ts'
import { isGroup, type TileTotal } from '#console/telemetry/tiles/tileData.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { othersColor, useListedColors } from './colors.ts'
import { Value } from './Value.tsx'
import css from './BarTile.module.css'

/** Maximum number of bars; a note shows the number of others. */
const maxBars = 100

/** Groups as bars with their numbers beside them: chart and table in one. */
export function BarTile({ total, unit, label }: { total: TileTotal; unit: Unit; label: string }) {
  const groups = total.rows.filter(isGroup)
  const rows = [...groups.slice(0, maxBars), ...total.rows.filter((row) => !isGroup(row))]
  const nameOf = (group: readonly string[]) => group.join(' · ') || 'all'
  const colors = useListedColors(rows.filter(isGroup).map(({ group }) => nameOf(group)))
  const largest = Math.max(...rows.map(({ values }) => Math.abs(values[0] ?? 0)), 0)
  return (
    <ScrollRegion as="ul" label={label} className={css.barTile}>
      {rows.map(({ group, others, values: [value = null] }) => (
        <li key={others ? 'others' : JSON.stringify(group)} className={css.bar}>
          <div className={css.caption}>
            <span className={css.groupName}>{nameOf(group)}</span>
            <span>
              <Value value={value} unit={unit} approximate={total.columns[0]?.approximate} />
            </span>
          </div>
          <div className={css.track}>
            <div
              className={css.fill}
              style={{
                backgroundColor: others ? othersColor : colors.get(nameOf(group)),
                width: `${largest > 0 ? (Math.abs(value ?? 0) / largest) * 100 : 0}%`,
              }}
            />
          </div>
        </li>
      ))}
      {groups.length > maxBars && (
        <li className={css.limitNote}>
          Showing the first {maxBars} of {groups.length}.
        </li>
      )}
    </ScrollRegion>
  )
}
