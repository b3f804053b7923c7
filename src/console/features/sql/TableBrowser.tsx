import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Text } from '#console/ui/base/Text.tsx'
import { SearchInput } from '#console/ui/table/SearchInput.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { SqlTable } from '#contract/stack/sql.ts'
import * as css from './sql.module.css'

interface TableBrowserProps {
  tables: readonly SqlTable[]
  /** Writes a name at the cursor of the editor. */
  onInsert: (name: string) => void
}

/** Databases with their tables, and the columns of those that are open. */
export function TableBrowser({ tables, onInsert }: TableBrowserProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = tables.filter(
    ({ database, name, columns }) =>
      `${database}.${name}`.toLowerCase().includes(wanted) ||
      columns.some((column) => column.name.toLowerCase().includes(wanted)),
  )
  const databases = [...new Set(found.map(({ database }) => database))]
  return (
    <section className={css.browser} aria-label="Tables">
      <SearchInput label="Search tables and columns" value={text} onChange={setText} />
      {databases.map((database) => (
        <div key={database}>
          <Text variant="caption" component="h2" className={css.database}>
            {database}
          </Text>
          {found
            .filter((table) => table.database === database)
            .map((table) => (
              <TableEntry key={table.name} table={table} wanted={wanted} onInsert={onInsert} />
            ))}
        </div>
      ))}
      {found.length === 0 && (
        <Text color="textSecondary">{tables.length === 0 ? 'There are no tables.' : 'Nothing found.'}</Text>
      )}
    </section>
  )
}

interface TableEntryProps extends Pick<TableBrowserProps, 'onInsert'> {
  table: SqlTable
  wanted: string
}

function TableEntry({ table, wanted, onInsert }: TableEntryProps) {
  const [open, setOpen] = useState(false)
  const { database, name, rows, bytes, sortingKey, engine } = table
  const columns = table.columns.filter(
    (column) => wanted === '' || name.toLowerCase().includes(wanted) || column.name.toLowerCase().includes(wanted),
  )
  return (
    <div>
      <div className={css.tableLine}>
        <button
          type="button"
          className={css.opener}
          aria-expanded={open}
          aria-label={`Columns of ${name}`}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight size={14} aria-hidden data-open={open || undefined} />
        </button>
        <button
          type="button"
          className={css.name}
          {...hint(`Insert ${database}.${name}`)}
          onClick={() => onInsert(sqlName(database, name))}
        >
          {name}
        </button>
        <span className={css.figure}>{rows === undefined ? engine : formatRows(rows)}</span>
      </div>
      {open && (
        <div className={css.columns}>
          <Text variant="caption" color="textSecondary" component="p">
            {[
              engine,
              rows !== undefined && `${formatRows(rows)} rows`,
              bytes !== undefined && `${formatValue(bytes, 'bytes')} on disk`,
            ]
              .filter(Boolean)
              .join(' · ')}
            {sortingKey !== undefined && (
              <>
                <br />
                Sorted by <code>{sortingKey}</code>
              </>
            )}
          </Text>
          <ul>
            {columns.map((column) => (
              <li key={column.name}>
                <button type="button" className={css.name} onClick={() => onInsert(quotedIfNeeded(column.name))}>
                  {column.name}
                </button>
                <span className={css.type} {...hint(typeHint(column))}>
                  {column.type}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const formatRows = (rows: number): string => rows.toLocaleString('en', rows < 10_000 ? {} : { notation: 'compact' })

function typeHint({ type, kind, bytes }: SqlTable['columns'][number]): string {
  const size = bytes === undefined ? undefined : `${formatValue(bytes, 'bytes')} on disk`
  return [type, kind?.toLowerCase(), size].filter(Boolean).join(', ')
}

function sqlName(database: string, name: string): string {
  return database === 'default' ? quotedIfNeeded(name) : `${quotedIfNeeded(database)}.${quotedIfNeeded(name)}`
}

function quotedIfNeeded(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``
}
