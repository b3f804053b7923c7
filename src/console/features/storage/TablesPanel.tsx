import * as base from '#console/ui/base/base.module.css'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { TableStorage } from '#contract/stack/storage.ts'
import { formatValue } from '#domain/charts/units.ts'
import { bytesOf, formatBytes, formatDays, formatRatio } from './storageText.ts'
import * as css from './storage.module.css'

/** The tables of telemetry with their sizes, and what their indexes cost. */
export function TablesPanel({ tables }: { tables: readonly TableStorage[] }) {
  const indexes = tables.flatMap((of) => of.indexes.map((index) => ({ ...index, of })))
  return (
    <>
      <Panel title="Tables" aside={formatBytes(bytesOf(tables))} flush>
        <SmallTable
          label="Tables"
          heads={[
            'Table',
            { title: 'Rows', number: true },
            { title: 'Size', number: true },
            { title: 'Compressed', number: true },
            { title: 'Indexes', number: true },
            'Days',
          ]}
        >
          {tables.map((table) => (
            <tr key={table.name}>
              <th scope="row" className={css.name}>
                {table.name}
              </th>
              <td className={base.tableNumber}>{formatValue(table.rows)}</td>
              <td className={base.tableNumber}>{formatBytes(table.bytes)}</td>
              <td className={base.tableNumber}>{formatRatio(table)}</td>
              <td className={base.tableNumber}>{table.indexes.length > 0 && formatBytes(bytesOf(table.indexes))}</td>
              <td className={css.days}>{formatDays(table)}</td>
            </tr>
          ))}
        </SmallTable>
      </Panel>
      <Panel title="Secondary indexes" aside={formatBytes(bytesOf(indexes))} flush>
        {indexes.length === 0 ? (
          <PanelText>The tables have none.</PanelText>
        ) : (
          <SmallTable
            label="Secondary indexes"
            heads={['Index', 'Table', 'Type', { title: 'Size', number: true }, { title: 'Of its table', number: true }]}
          >
            {indexes.map(({ name, type, bytes, of }) => (
              <tr key={`${of.name} ${name}`}>
                <th scope="row" className={css.name}>
                  {name}
                </th>
                <td className={css.name}>{of.name}</td>
                <td>{type}</td>
                <td className={base.tableNumber}>{formatBytes(bytes)}</td>
                <td className={base.tableNumber}>
                  {of.bytes > 0 && formatValue(Number(((100 * bytes) / of.bytes).toPrecision(2)), 'percent')}
                </td>
              </tr>
            ))}
          </SmallTable>
        )}
      </Panel>
    </>
  )
}
