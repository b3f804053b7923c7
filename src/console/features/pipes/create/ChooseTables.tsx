import { useState } from 'react'
import { useFieldArray, useFormState, useWatch, type Control } from 'react-hook-form'
import * as base from '#console/ui/base/base.module.css'
import { Text } from '#console/ui/base/Text.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { FoldedPanel } from '#console/ui/layout/FoldedPanel.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { RowCheckbox } from '#console/ui/table/RowCheckbox.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { FoundDatabase, FoundTable } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { formatShort } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import { TablesField } from '../forms/TablesField.tsx'
import type { PipeForm, TableRow } from '../forms/pipeForm.ts'
import { chosenRow, isRowOf, tableName, withColumn, withoutTables, withTables } from './foundTables.ts'
import { TablePreview } from './TablePreview.tsx'
import * as css from './newPipe.module.css'

const path = 'source.postgres.tableMappings'
const anySchema = ''
/** Rows of the table: more are found by their name. */
const maxShown = 100

/** The tables of a database, each with a checkbox, its key and its size; and the columns of one of them. */
export function ChooseTables({ control, database }: { control: Control<PipeForm>; database: FoundDatabase }) {
  const { replace } = useFieldArray({ control, name: path })
  const rows = useWatch({ control, name: path })
  const [filter, setFilter] = useState<TableFilter>({ text: '', schema: anySchema })
  const [opened, setOpened] = useState<string | null>(null)
  const { tables } = database
  const open = tables.find((offered) => tableName(offered) === opened)
  return (
    <Column gap={16}>
      <Panel
        title="Tables"
        flush
        aside={<TablesTools tables={tables} chosen={rows.length} filter={filter} onFilter={setFilter} />}
      >
        <TablesError control={control} chosen={rows.length} />
        {tables.length === 0 ? (
          <PanelText>The user can read no table of this database. Grant it SELECT, then test again.</PanelText>
        ) : (
          <TablesList
            tables={tables.filter((offered) => matches(offered, filter))}
            rows={rows}
            opened={opened}
            onChoose={(some, on) => replace(on ? withTables(rows, some) : withoutTables(rows, some))}
            onOpen={setOpened}
          />
        )}
      </Panel>
      {open && (
        <TablePreview
          key={tableName(open)}
          control={control}
          found={open}
          row={chosenRow(rows, open)}
          onColumn={(column, on) =>
            replace(rows.map((row) => (isRowOf(row, open) ? withColumn(row, column, on) : row)))
          }
        />
      )}
      {rows.length > 0 && (
        <FoldedPanel title="Names, engines and sorting keys" summary="as at the source">
          <TablesField control={control} locked={undefined} />
        </FoldedPanel>
      )}
    </Column>
  )
}

interface TableFilter {
  /** A part of the name. */
  text: string
  schema: string
}

const matches = (table: FoundTable, { text, schema }: TableFilter): boolean =>
  (schema === anySchema || table.schema === schema) &&
  tableName(table).toLowerCase().includes(text.trim().toLowerCase())

interface TablesToolsProps {
  tables: readonly FoundTable[]
  /** How many are chosen. */
  chosen: number
  filter: TableFilter
  onFilter: (filter: TableFilter) => void
}

function TablesTools({ tables, chosen, filter, onFilter }: TablesToolsProps) {
  const schemas = [...new Set(tables.map((offered) => offered.schema))]
  return (
    <div className={css.tablesTools}>
      <span>
        {chosen} of {counted(tables.length, 'table')} chosen
      </span>
      {schemas.length > 1 && (
        <SelectInput
          label="Schema"
          value={filter.schema}
          options={[anySchema, ...schemas].map((value) => ({ value, label: value || 'all schemas' }))}
          onChange={(schema) => onFilter({ ...filter, schema })}
          className={css.schema ?? ''}
        />
      )}
      {tables.length > 8 && (
        <SearchInput label="Find a table" value={filter.text} onChange={(text) => onFilter({ ...filter, text })} />
      )}
    </div>
  )
}

function TablesError({ control, chosen }: { control: Control<PipeForm>; chosen: number }) {
  const { errors } = useFormState({ control, name: path })
  const error = errors.source?.postgres?.tableMappings
  const message = error?.root?.message ?? error?.message
  if (!message) return null
  return (
    <Text color="error" role="alert" className={css.tablesError}>
      {chosen === 0 ? 'Choose at least one table.' : message}
    </Text>
  )
}

interface TablesListProps {
  /** The tables that match the filter. */
  tables: readonly FoundTable[]
  /** The chosen tables. */
  rows: readonly TableRow[]
  /** The name of the table whose columns are shown. */
  opened: string | null
  onChoose: (tables: readonly FoundTable[], on: boolean) => void
  onOpen: (name: string | null) => void
}

function TablesList({ tables, rows, opened, onChoose, onOpen }: TablesListProps) {
  const chosen = tables.filter((offered) => chosenRow(rows, offered) !== undefined)
  return (
    <>
      <div className={css.all}>
        <RowCheckbox
          label="All tables shown"
          checked={chosen.length === tables.length && tables.length > 0}
          indeterminate={chosen.length > 0 && chosen.length < tables.length}
          onChange={(on) => onChoose(tables, on)}
        />
        <Text component="span" aria-hidden>
          All
        </Text>
      </div>
      <SmallTable
        label="Tables of the source"
        heads={[
          'Table',
          { title: 'Rows', number: true },
          { title: 'Size', number: true },
          'Primary key',
          'Changes',
          { title: 'Columns', number: true },
        ]}
        className={css.tables}
      >
        {tables.slice(0, maxShown).map((offered) => {
          const name = tableName(offered)
          return (
            <FoundRow
              key={name}
              found={offered}
              row={chosenRow(rows, offered)}
              isOpen={opened === name}
              onChoose={(on) => onChoose([offered], on)}
              onOpen={() => onOpen(opened === name ? null : name)}
            />
          )
        })}
      </SmallTable>
      {tables.length > maxShown && <PanelText>{tables.length - maxShown} more: find them by their name.</PanelText>}
      {tables.length === 0 && <PanelText>No table has this in its name.</PanelText>}
    </>
  )
}

const followed: Record<FoundTable['follows'], string> = {
  changes: 'replicated',
  newRows: 'new rows only',
  nothing: 'copied once',
}

interface FoundRowProps {
  found: FoundTable
  row: TableRow | undefined
  isOpen: boolean
  onChoose: (on: boolean) => void
  onOpen: () => void
}

function FoundRow({ found, row, isOpen, onChoose, onOpen }: FoundRowProps) {
  const name = tableName(found)
  const kept = found.columns.length - (row?.excludedColumns.length ?? 0)
  return (
    <tr data-selected={row !== undefined || undefined}>
      <th scope="row" className={css.tablesName}>
        <RowCheckbox label={`Load ${name}`} checked={row !== undefined} onChange={onChoose} />
        <button
          type="button"
          className={`${base.plainButton} ${css.tablesOpen}`}
          aria-expanded={isOpen}
          onClick={onOpen}
        >
          <code>{name}</code>
          <VisuallyHidden>: columns and preview</VisuallyHidden>
        </button>
      </th>
      <td className={base.tableNumber}>{found.rows === null ? 'not known' : `≈ ${formatShort(found.rows)}`}</td>
      <td className={base.tableNumber}>{found.bytes === null ? 'not known' : formatShort(found.bytes, 'bytes')}</td>
      <td>{found.primaryKey.length > 0 ? <code>{found.primaryKey.join(', ')}</code> : 'none'}</td>
      <td className={css.tablesChanges} data-warning={found.follows !== 'changes' || undefined}>
        {followed[found.follows]}
      </td>
      <td className={base.tableNumber}>
        {kept === found.columns.length ? kept : `${kept} of ${found.columns.length}`}
      </td>
    </tr>
  )
}
