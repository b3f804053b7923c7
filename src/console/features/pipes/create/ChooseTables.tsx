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
import { chosenRow, isRowOf, rowFor, tableName, withColumn } from './foundTables.ts'
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
  const { errors } = useFormState({ control, name: path })
  const error = errors.source?.postgres?.tableMappings
  const [{ text, schema }, setFilter] = useState({ text: '', schema: anySchema })
  const [opened, setOpened] = useState<string | null>(null)
  const { tables } = database
  const schemas = [...new Set(tables.map((offered) => offered.schema))]
  const matching = tables.filter(
    (offered) =>
      (schema === anySchema || offered.schema === schema) &&
      tableName(offered).toLowerCase().includes(text.trim().toLowerCase()),
  )
  const shown = matching.slice(0, maxShown)
  const chosen = matching.filter((offered) => chosenRow(rows, offered) !== undefined)
  const choose = (some: readonly FoundTable[], on: boolean) => {
    const others = rows.filter((row) => !some.some((offered) => isRowOf(row, offered)))
    if (!on) return replace(others)
    replace(
      some.reduce<TableRow[]>(
        (all, offered) => (chosenRow(all, offered) ? all : [...all, rowFor(offered, all)]),
        [...rows],
      ),
    )
  }
  const open = tables.find((offered) => tableName(offered) === opened)
  return (
    <Column gap={16}>
      <Panel
        title="Tables"
        flush
        aside={
          <div className={css.tablesTools}>
            <span>
              {rows.length} of {counted(tables.length, 'table')} chosen
            </span>
            {schemas.length > 1 && (
              <SelectInput
                label="Schema"
                value={schema}
                options={[anySchema, ...schemas].map((value) => ({ value, label: value || 'all schemas' }))}
                onChange={(next) => setFilter({ text, schema: next })}
                className={css.schema ?? ''}
              />
            )}
            {tables.length > 8 && (
              <SearchInput label="Find a table" value={text} onChange={(next) => setFilter({ text: next, schema })} />
            )}
          </div>
        }
      >
        {(error?.root?.message ?? error?.message) && (
          <Text color="error" role="alert" className={css.tablesError}>
            {rows.length === 0 ? 'Choose at least one table.' : (error?.root?.message ?? error?.message)}
          </Text>
        )}
        {tables.length === 0 ? (
          <PanelText>The user can read no table of this database. Grant it SELECT, then test again.</PanelText>
        ) : (
          <>
            <div className={css.all}>
              <RowCheckbox
                label="All tables shown"
                checked={chosen.length === matching.length && matching.length > 0}
                indeterminate={chosen.length > 0 && chosen.length < matching.length}
                onChange={(on) => choose(matching, on)}
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
              {shown.map((offered) => (
                <FoundRow
                  key={tableName(offered)}
                  found={offered}
                  row={chosenRow(rows, offered)}
                  isOpen={opened === tableName(offered)}
                  onChoose={(on) => choose([offered], on)}
                  onOpen={() => setOpened(opened === tableName(offered) ? null : tableName(offered))}
                />
              ))}
            </SmallTable>
            {matching.length > maxShown && (
              <PanelText>{matching.length - maxShown} more: find them by their name.</PanelText>
            )}
            {matching.length === 0 && <PanelText>No table has this in its name.</PanelText>}
          </>
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
