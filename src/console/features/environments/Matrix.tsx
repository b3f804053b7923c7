import { Check, CircleQuestionMark, EqualNot, Minus, Plus, type LucideIcon } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { KindIcon, kindLabel } from '#console/shell/recordKinds.tsx'
import * as base from '#console/ui/base/base.module.css'
import { hint } from '#console/ui/hint/hint.ts'
import { useLinesInSight } from '#console/ui/table/useLinesInSight.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { Connection } from '#contract/console/connections.ts'
import { sharesRecords } from '#contract/console/deployments.ts'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import { moveInMatrix } from './moveInMatrix.ts'
import { useColumnsInSight } from './useColumnsInSight.ts'
import {
  cellText,
  emptyColumn,
  formatDifferences,
  type Cell,
  type ColumnCounts,
  type KindGroup,
  type MatrixRow,
} from './matrixRows.ts'
import * as css from './environments.module.css'

export interface ChosenCell {
  row: string
  on: string
}

interface MatrixProps {
  /** The baseline comes first, unless a narrow screen shows one of them. */
  connections: readonly Connection[]
  baseline: Connection
  /** The counts of each connection over all rows, also those that are not shown. */
  counts: ReadonlyMap<string, ColumnCounts>
  /** The rows that are shown. */
  rows: readonly MatrixRow[]
  groups: readonly KindGroup[]
  /** Connections are being compared. */
  busy: boolean
  chosen: ChosenCell | undefined
  onChoose: (cell: ChosenCell) => void
}

type Line = { group: KindGroup } | { row: MatrixRow }

/** Pixels. */
const lineHeight = 32
const columnWidth = 122
const recordWidth = 200

/** The records by kind, and how each connection compares with the baseline. Arrow keys go from cell to cell. */
export function Matrix(props: MatrixProps) {
  const { connections, baseline, counts, rows, groups, busy, chosen, onChoose } = props
  const scroller = useRef<HTMLDivElement | null>(null)
  const [measure, { width, height }] = useElementSize()
  const ref = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element
      return measure(element)
    },
    [measure],
  )
  const lines = useMemo(
    () =>
      groups.flatMap((group): Line[] => {
        const ofKind = rows.filter(({ kind }) => kind === group.kind)
        return ofKind.length === 0 && group.unread.length === 0 ? [] : [{ group }, ...ofKind.map((row) => ({ row }))]
      }),
    [rows, groups],
  )
  const { places, before, after } = useLinesInSight(scroller, height, lines.length, lineHeight)
  const columns = useColumnsInSight(scroller, width, connections.length, columnWidth)
  const { outside } = columns
  const drawn = columns.places.flatMap((place) => connections[place] ?? [])
  const stop = stopOf(lines, places, chosen)
  return (
    <div ref={ref} className={`${base.card} ${css.matrixScroller}`}>
      <table
        // Its cells take the arrow keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
        role="grid"
        aria-label="Comparison"
        aria-busy={busy}
        aria-rowcount={lines.length + 1}
        aria-colcount={connections.length + 1}
        className={css.matrix}
        data-wide={outside !== undefined || undefined}
        style={{ minWidth: recordWidth + connections.length * columnWidth }}
      >
        <colgroup>
          <col className={css.recordColumn} style={outside && { width: recordWidth }} />
          {outside && <col style={{ width: outside.before }} />}
          {drawn.map(({ id }) => (
            <col key={id} />
          ))}
          {outside && <col style={{ width: outside.after }} />}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Record</th>
            {outside && <td aria-hidden />}
            {drawn.map((connection, at) => (
              <th
                key={connection.id}
                scope="col"
                aria-colindex={columnIndex(at)}
                data-baseline={connection.id === baseline.id}
              >
                <span className={css.matrixColumn}>
                  <StageDot stage={connection.stage} />
                  <b>{connection.name}</b>
                </span>
                <span className={css.matrixCounts}>{columnText(connection, baseline, counts.get(connection.id))}</span>
              </th>
            ))}
            {outside && <td aria-hidden />}
          </tr>
        </thead>
        {/* Its cells are what the keys are pressed on. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody onKeyDown={moveInMatrix}>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {places.map((place) => {
            const line = lines[place]
            if (!line) return null
            if ('group' in line) {
              return (
                <tr
                  key={line.group.kind}
                  aria-rowindex={place + 2}
                  className={css.matrixGroup}
                  style={{ height: lineHeight }}
                >
                  <th scope="rowgroup" colSpan={drawn.length + (outside ? 3 : 1)}>
                    <GroupTitle group={line.group} connections={connections} />
                  </th>
                </tr>
              )
            }
            const { row } = line
            return (
              <tr key={row.key} aria-rowindex={place + 2} style={{ height: lineHeight }}>
                <th scope="row" title={row.name} data-chosen={chosen?.row === row.key}>
                  {row.name}
                </th>
                {outside && <td aria-hidden />}
                {drawn.map(({ id }, at) => (
                  <MatrixCell
                    key={id}
                    column={columnIndex(at)}
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
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )

  function columnIndex(at: number): number {
    return (columns.places[at] ?? 0) + 2
  }

  /** The cell that Tab goes to: the chosen one, or the first in sight. */
  function stopOf(shown: readonly Line[], inSight: readonly number[], at: ChosenCell | undefined) {
    const visible = inSight.flatMap((place) => {
      const line = shown[place]
      return line && 'row' in line ? [line.row] : []
    })
    if (at && visible.some(({ key }) => key === at.row) && drawn.some(({ id }) => id === at.on)) return at
    const other = drawn.find(({ id }) => id !== baseline.id)
    return visible[0] && other ? { row: visible[0].key, on: other.id } : undefined
  }
}

function columnText(connection: Connection, baseline: Connection, counts = emptyColumn): string {
  if (connection.id === baseline.id) return 'baseline'
  if (counts.isUnread) return 'could not be read'
  return formatDifferences(counts, sharesRecords(baseline, connection))
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
