import { isGroup, type TileTotal } from '#console/charting/tiles/tileData.ts'
import { Value } from './Value.tsx'
import * as charting from '#console/charting/charting.module.css'
import * as css from '../dashboardView.module.css'

/** Maximum number of rows; a note shows the number of others. */
const maxRows = 200

interface TotalTableProps {
  total: TileTotal
  /** The headers of groups: the expressions that the tile is grouped by. */
  groupNames: readonly string[]
  label: string
}

/** Totals as a table, one row a group. */
export function TotalTable({ total, groupNames, label }: TotalTableProps) {
  const groups = total.rows.filter(isGroup)
  const rows = [...groups.slice(0, maxRows), ...total.rows.filter((row) => !isGroup(row))]
  return (
    // Without a tab stop the arrow keys would have nothing to scroll.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.totalTable} tabIndex={0} role="region" aria-label={label}>
      <table className={charting.compactTable}>
        <thead>
          <tr>
            {groupNames.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {total.columns.map(({ name }) => (
              <th key={name} scope="col" className={charting.compactTableNumber}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ group, others, values }) => (
            <tr key={others ? 'others' : JSON.stringify(group)}>
              {groupNames.map((name, index) => (
                <td key={name} className={css.totalTableGroupName}>
                  {group[index] ?? ''}
                </td>
              ))}
              {values.map((value, index) => (
                <td key={total.columns[index]?.name} className={charting.compactTableNumber}>
                  <Value
                    value={value}
                    unit={total.columns[index]?.unit ?? 'number'}
                    approximate={total.columns[index]?.approximate}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > maxRows && (
        <div className={css.tileTableNote}>
          Showing the first {maxRows} of {groups.length} rows.
        </div>
      )}
    </div>
  )
}
