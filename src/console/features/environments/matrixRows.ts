/** The matrix: a row for each record, a cell for each connection. */
import { counted } from '#domain/text/words.ts'
import type { ComparedRecordView, ListedComparison } from '#contract/console/environments.ts'
import { listedKinds, type RecordKind } from '#contract/stack/recordKinds.ts'

/** `reading`: not yet known. `baseline`: the record that the others are compared with. `notThere`: neither side has it. */
type CellState = ComparedRecordView['state'] | 'reading' | 'baseline' | 'notThere'

export interface Cell extends Partial<Omit<ComparedRecordView, 'state' | 'kind' | 'name'>> {
  state: CellState
  /** The state is that of the whole connection, of which nothing is known. The overview says why. */
  isOfAll?: boolean
}

export interface MatrixRow {
  /** `kind/name`. */
  key: string
  kind: RecordKind
  name: string
  cells: ReadonlyMap<string, Cell>
}

/** The known state of a connection against the baseline. */
export interface Column {
  connectionId: string
  comparison: ListedComparison | undefined
  /** Why it could not be compared at all. */
  problem?: string | undefined
}

const isDifference = ({ state }: Cell) => state === 'differs' || state === 'missing' || state === 'onlyHere'

/** Whether there is something to look at in a row. */
const isNotable = (row: MatrixRow) =>
  [...row.cells.values()].some((cell) => isDifference(cell) || (cell.state === 'unknown' && !cell.isOfAll))

/** Rows of all columns by kind, then by name. What a comparison leaves out is the same, or unknown until it is compared again. */
export function matrixRows(columns: readonly Column[], baseline: string): MatrixRow[] {
  const byKey = new Map<string, Pick<MatrixRow, 'kind' | 'name'>>()
  const found = columns.map(({ comparison }) => {
    const rows = new Map((comparison?.rows ?? []).map((row) => [keyOf(row), row]))
    for (const [key, { kind, name }] of rows) if (!byKey.has(key)) byKey.set(key, { kind, name })
    return rows
  })
  const at = columns.findIndex(({ connectionId }) => connectionId === baseline)
  const known = { rows: found[at], version: columns[at]?.comparison?.baselineRows }
  return [...byKey]
    .map(([key, { kind, name }]) => ({
      key,
      kind,
      name,
      cells: new Map(
        columns.map((column, place): [string, Cell] => {
          const row = found[place]?.get(key)
          const { comparison, connectionId, problem } = column
          const isRead = problem === undefined && comparison?.kinds[kind] === null
          const isLeftOut = isRead && row === undefined && known.rows?.has(key) === true
          if (!isLeftOut) return [connectionId, cellOf(column, kind, row, place === at)]
          return [connectionId, comparison.baselineRows === known.version ? same : reading]
        }),
      ),
    }))
    .toSorted((a, b) => listedKinds.indexOf(a.kind) - listedKinds.indexOf(b.kind) || a.name.localeCompare(b.name))
}

const keyOf = ({ kind, name }: Pick<ComparedRecordView, 'kind' | 'name'>) => `${kind}/${name}`

const same: Cell = { state: 'same' }
const reading: Cell = { state: 'reading' }

function cellOf(column: Column, kind: RecordKind, row: ComparedRecordView | undefined, isBaseline: boolean): Cell {
  if (column.problem !== undefined) return { state: 'unknown', reason: column.problem, isOfAll: true }
  if (!column.comparison) return reading
  if (row && isBaseline) return { ...row, state: 'baseline' }
  if (row) return row
  const unread = column.comparison.kinds[kind]
  if (!unread) return { state: 'notThere' }
  return unread.state === 'notOffered' ? { state: 'notOffered' } : { state: 'unknown', reason: unread.reason }
}

export interface Counts {
  differs: number
  missing: number
  onlyHere: number
  unknown: number
}

const noCells: Counts = { differs: 0, missing: 0, onlyHere: 0, unknown: 0 }

/** Cells by their state. */
export function countCells(rows: readonly MatrixRow[]): Counts {
  const counts = { ...noCells }
  for (const { cells } of rows) {
    for (const { state } of cells.values()) if (isCounted(state)) counts[state]++
  }
  return counts
}

export interface ColumnCounts extends Counts {
  /** Nothing of the connection could be read, so that it is not known whether it differs. */
  isUnread: boolean
}

/** The counts of a column that has no cells. */
export const emptyColumn: ColumnCounts = { ...noCells, isUnread: false }

/** Cells of each connection by their state, in one pass: there may be hundreds of connections. */
export function countColumns(rows: readonly MatrixRow[]): ReadonlyMap<string, ColumnCounts> {
  const columns = new Map<string, ColumnCounts>()
  for (const { cells } of rows) {
    for (const [connectionId, { state, isOfAll }] of cells) {
      const counts = columns.get(connectionId) ?? { ...noCells, isUnread: true }
      if (isCounted(state)) counts[state]++
      counts.isUnread &&= state === 'unknown' && isOfAll === true
      columns.set(connectionId, counts)
    }
  }
  return columns
}

const isCounted = (state: CellState): state is keyof Counts => state in noCells

export const differencesIn = ({ differs, missing, onlyHere }: Counts): number => differs + missing + onlyHere

/**
 * "No differences, 26 not comparable".
 * @param isSame the connection leads to the deployment that it is compared with
 */
export function formatDifferences(counts: Counts, isSame = false): string {
  const differences = differencesIn(counts)
  if (isSame && differences === 0) return 'Same deployment'
  const known = differences === 0 ? 'No differences' : counted(differences, 'difference')
  return counts.unknown > 0 ? `${known}, ${counts.unknown} not comparable` : known
}

export interface Filter {
  text: string
  kind: RecordKind | undefined
  notableOnly: boolean
}

/** Rows whose name, or a field that differs, has the text in it. */
export function filterRows(rows: readonly MatrixRow[], { text, kind, notableOnly }: Filter): MatrixRow[] {
  const wanted = text.trim().toLowerCase()
  const fits = (value: string) => value.toLowerCase().includes(wanted)
  return rows.filter(
    (row) =>
      (kind === undefined || row.kind === kind) &&
      (!notableOnly || isNotable(row)) &&
      (wanted === '' || fits(row.name) || [...row.cells.values()].some((cell) => cell.changed?.some(fits))),
  )
}

export interface KindGroup {
  kind: RecordKind
  /** All rows of the kind, and those with a difference. */
  total: number
  notable: number
  /** Connections without such records, and those whose records could not be read. */
  notOffered: string[]
  unread: { connectionId: string; reason: string }[]
}

export function groupOf(kind: RecordKind, rows: readonly MatrixRow[], columns: readonly Column[]): KindGroup {
  const ofKind = rows.filter((row) => row.kind === kind)
  const readable = columns.filter(({ problem }) => problem === undefined)
  const states = readable.map(({ connectionId, comparison }) => ({ connectionId, unread: comparison?.kinds[kind] }))
  return {
    kind,
    total: ofKind.length,
    notable: ofKind.filter((row) => [...row.cells.values()].some(isDifference)).length,
    notOffered: states.flatMap(({ connectionId, unread }) => (unread?.state === 'notOffered' ? [connectionId] : [])),
    unread: states.flatMap(({ connectionId, unread }) =>
      unread?.state === 'failed' ? [{ connectionId, reason: unread.reason }] : [],
    ),
  }
}

/** The word of a cell; it never depends on colour alone. */
export function cellText({ state, fields = 0 }: Cell, row: MatrixRow): string {
  switch (state) {
    case 'differs':
      return `${fields} ${fields === 1 ? 'field' : 'fields'}`
    case 'onlyHere':
      // Several connections may have what the baseline has not.
      return [...row.cells.values()].filter((cell) => cell.state === 'onlyHere').length > 1
        ? 'not in baseline'
        : 'only here'
    case 'notThere':
      return 'not present'
    case 'notOffered':
      return 'not available'
    case 'baseline':
      return 'present'
    case 'same':
    case 'missing':
    case 'unknown':
      return state
    case 'reading':
      return 'reading…'
  }
}
