/** The lines of the matrix: the titles of kinds, and the records with a cell for each connection. */
import { Check, CircleQuestionMark, EqualNot, Minus, Plus, type LucideIcon } from 'lucide-react'
import { KindIcon, kindLabel } from '#console/shell/recordKinds.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import type { Connection } from '#contract/console/connections.ts'
import { cellText, type Cell, type KindGroup, type MatrixRow } from './matrixRows.ts'
import * as css from './environments.module.css'

export interface ChosenCell {
  row: string
  on: string
}

/** The columns of connections that are drawn. */
export interface DrawnColumns {
  /** With their positions among all columns, from 1. */
  drawn: readonly { connection: Connection; index: number }[]
  baseline: Connection
  /** Pixels of the columns before and after them, which one cell each stands for; undefined while all are drawn. */
  outside: { before: number; after: number } | undefined
}

interface LineProps {
  /** The place of the line in the table. */
  position: { 'aria-rowindex': number; style: { height: number } }
  columns: DrawnColumns
}

interface GroupLineProps extends LineProps {
  group: KindGroup
  /** All that are compared, also those that are not drawn. */
  connections: readonly Connection[]
}

export function GroupLine({ position, columns: { drawn, outside }, group, connections }: GroupLineProps) {
  return (
    <tr {...position} className={css.matrixGroup}>
      <th scope="rowgroup" colSpan={drawn.length + (outside ? 3 : 1)}>
        <GroupTitle group={group} connections={connections} />
      </th>
    </tr>
  )
}

function GroupTitle({ group, connections }: { group: KindGroup; connections: readonly Connection[] }) {
  const nameOf = (id: string) => connections.find((connection) => connection.id === id)?.name ?? id
  const unread = group.unread.filter(({ connectionId }) => connections.some(({ id }) => id === connectionId))
  const without = group.notOffered.filter((id) => connections.some((connection) => connection.id === id))
  return (
    <span className={css.matrixGroupTitle}>
      <KindIcon kind={group.kind} />
      <b>{kindLabel(group.kind).many}</b>
      <span>
        {group.notable} of {group.total} {group.notable === 1 ? 'differs' : 'differ'}
        {unread.map(({ connectionId, reason }) => ` · ${nameOf(connectionId)} unknown: ${reason}`)}
        {without.length > 0 && ` · not available on ${without.map(nameOf).join(', ')}`}
      </span>
    </span>
  )
}

interface RecordLineProps extends LineProps {
  row: MatrixRow
  chosen: ChosenCell | undefined
  /** The cell that Tab goes to. */
  stop: ChosenCell | undefined
  onChoose: (cell: ChosenCell) => void
}

export function RecordLine({ position, columns, row, chosen, stop, onChoose }: RecordLineProps) {
  const { drawn, baseline, outside } = columns
  return (
    <tr {...position}>
      <th scope="row" title={row.name} data-chosen={chosen?.row === row.key}>
        {row.name}
      </th>
      {outside && <td aria-hidden />}
      {drawn.map(({ connection: { id }, index }) => (
        <MatrixCell
          key={id}
          column={index}
          row={row}
          cell={row.cells.get(id) ?? { state: 'reading' }}
          isBaseline={id === baseline.id}
          isChosen={chosen?.row === row.key && chosen.on === id}
          isStop={stop?.row === row.key && stop.on === id}
          onChoose={() => onChoose({ row: row.key, on: id })}
          isOpenable={id !== baseline.id}
        />
      ))}
      {outside && <td aria-hidden />}
    </tr>
  )
}

const icons: Partial<Record<Cell['state'], LucideIcon>> = {
  same: Check,
  differs: EqualNot,
  missing: Minus,
  onlyHere: Plus,
  unknown: CircleQuestionMark,
}

interface MatrixCellProps {
  /** The position among all columns, also those that are not drawn, from 1. */
  column: number
  row: MatrixRow
  cell: Cell
  isBaseline: boolean
  isChosen: boolean
  isStop: boolean
  isOpenable: boolean
  onChoose: () => void
}

/** Cells differ by word, icon and shape, never by colour alone. */
function MatrixCell({ column, row, cell, isBaseline, isChosen, isStop, isOpenable, onChoose }: MatrixCellProps) {
  const Icon = icons[cell.state]
  const open = isOpenable ? onChoose : undefined
  return (
    // A cell of a grid, with the keys of one.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <td
      tabIndex={isStop ? 0 : -1}
      aria-colindex={column}
      data-baseline={isBaseline}
      aria-selected={isChosen}
      onClick={open}
    >
      <span className={css.matrixCell} data-state={cell.state} {...hint(cell.reason ?? '')}>
        {Icon && <Icon size={12} aria-hidden />}
        <span>{cellText(cell, row)}</span>
        {cell.byHand && <span className={css.byHand}>by hand</span>}
        {cell.state === 'baseline' && cell.updatedAt && (
          <span className={css.changed}>{formatRecentDay(cell.updatedAt)}</span>
        )}
      </span>
    </td>
  )
}
