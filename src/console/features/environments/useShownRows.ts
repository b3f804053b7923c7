import { useMemo } from 'react'
import { listedKinds } from '#contract/stack/recordKinds.ts'
import { filterRows, groupOf, type Column, type Filter, type KindGroup, type MatrixRow } from './matrixRows.ts'

interface Shown {
  rows: readonly MatrixRow[]
  groups: readonly KindGroup[]
}

/** The rows that fit the filter, and the titles of their kinds. @param only of this connection, on phones */
export function useShownRows(
  rows: readonly MatrixRow[],
  columns: readonly Column[],
  only: string | undefined,
  { text, kind, notableOnly }: Filter,
): Shown {
  return useMemo(() => {
    const visible = only === undefined ? rows : rows.map((row) => onlyOn(row, only))
    const kinds = listedKinds.filter((listedKind) => kind === undefined || listedKind === kind)
    return {
      rows: filterRows(visible, { text, kind, notableOnly }),
      groups: kinds.map((shownKind) => groupOf(shownKind, visible, columns)),
    }
  }, [rows, columns, only, text, kind, notableOnly])
}

function onlyOn(row: MatrixRow, connectionId: string): MatrixRow {
  const cell = row.cells.get(connectionId)
  return { ...row, cells: new Map(cell ? [[connectionId, cell]] : []) }
}
