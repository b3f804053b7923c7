import { useCallback, useMemo, useRef, type RefObject } from 'react'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import * as base from '#console/ui/base/base.module.css'
import { useLinesInSight } from '#console/ui/table/useLinesInSight.ts'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { Connection } from '#contract/console/connections.ts'
import { sharesRecords } from '#contract/console/deployments.ts'
import { GroupLine, RecordLine, type ChosenCell, type DrawnColumns } from './MatrixLines.tsx'
import { moveInMatrix } from './moveInMatrix.ts'
import { useColumnsInSight } from './useColumnsInSight.ts'
import { emptyColumn, formatDifferences, type ColumnCounts, type KindGroup, type MatrixRow } from './matrixRows.ts'
import * as css from './environments.module.css'

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
  const lines = useMemo(() => linesOf(rows, groups), [rows, groups])
  const { places, before, after } = useLinesInSight(scroller, height, lines.length, lineHeight)
  const columns = useDrawnColumns(scroller, width, connections, baseline)
  const stop = tabStop(
    places.flatMap((place) => lines[place] ?? []),
    columns,
    chosen,
  )
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
        data-wide={columns.outside !== undefined || undefined}
        style={{ minWidth: recordWidth + connections.length * columnWidth }}
      >
        <MatrixHead columns={columns} counts={counts} />
        {/* Its cells are what the keys are pressed on. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <tbody onKeyDown={moveInMatrix}>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {places.map((place) => {
            const line = lines[place]
            if (!line) return null
            const position = { 'aria-rowindex': place + 2, style: { height: lineHeight } }
            return 'group' in line ? (
              <GroupLine
                key={line.group.kind}
                position={position}
                group={line.group}
                columns={columns}
                connections={connections}
              />
            ) : (
              <RecordLine
                key={line.row.key}
                position={position}
                row={line.row}
                columns={columns}
                chosen={chosen}
                stop={stop}
                onChoose={onChoose}
              />
            )
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}

/** Each kind that has rows, or that could not be read, begins with its title. */
function linesOf(rows: readonly MatrixRow[], groups: readonly KindGroup[]): Line[] {
  return groups.flatMap((group): Line[] => {
    const ofKind = rows.filter(({ kind }) => kind === group.kind)
    return ofKind.length === 0 && group.unread.length === 0 ? [] : [{ group }, ...ofKind.map((row) => ({ row }))]
  })
}

/** The columns of the connections that are in sight. @param width of the scroller in pixels */
function useDrawnColumns(
  scroller: RefObject<HTMLElement | null>,
  width: number,
  connections: readonly Connection[],
  baseline: Connection,
): DrawnColumns {
  const { places, outside } = useColumnsInSight(scroller, width, connections.length, columnWidth)
  const drawn = places.flatMap((place) => {
    const connection = connections[place]
    return connection ? { connection, index: place + 2 } : []
  })
  return { drawn, baseline, outside }
}

/** The cell that Tab goes to: the chosen one, or the first in sight. */
function tabStop(
  inSight: readonly Line[],
  { drawn, baseline }: DrawnColumns,
  chosen: ChosenCell | undefined,
): ChosenCell | undefined {
  const rows = inSight.flatMap((line) => ('row' in line ? line.row : []))
  const ids = drawn.map(({ connection }) => connection.id)
  if (chosen && rows.some(({ key }) => key === chosen.row) && ids.includes(chosen.on)) return chosen
  const on = ids.find((id) => id !== baseline.id)
  return rows[0] && on !== undefined ? { row: rows[0].key, on } : undefined
}

interface MatrixHeadProps {
  columns: DrawnColumns
  counts: ReadonlyMap<string, ColumnCounts>
}

function MatrixHead({ columns: { drawn, baseline, outside }, counts }: MatrixHeadProps) {
  return (
    <>
      <colgroup>
        <col className={css.recordColumn} style={outside && { width: recordWidth }} />
        {outside && <col style={{ width: outside.before }} />}
        {drawn.map(({ connection }) => (
          <col key={connection.id} />
        ))}
        {outside && <col style={{ width: outside.after }} />}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">Record</th>
          {outside && <td aria-hidden />}
          {drawn.map(({ connection, index }) => (
            <th key={connection.id} scope="col" aria-colindex={index} data-baseline={connection.id === baseline.id}>
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
    </>
  )
}

function columnText(connection: Connection, baseline: Connection, counts = emptyColumn): string {
  if (connection.id === baseline.id) return 'baseline'
  if (counts.isUnread) return 'could not be read'
  return formatDifferences(counts, sharesRecords(baseline, connection))
}
