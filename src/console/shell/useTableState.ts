/** A table's state, in the address of its page. */
import { useCallback, useMemo } from 'react'
import { z } from 'zod'
import { readTableState, writeTableState, type TableState } from '#console/ui/table/tableState.ts'
import { useUrlState } from './urlState.ts'

const texts = z.object({
  q: z.string().optional(),
  sort: z.string().optional(),
  filter: z.string().optional(),
  columns: z.string().optional(),
  dense: z.string().optional(),
})

export function useTableState(): { state: TableState; onState: (change: Partial<TableState>) => void } {
  const [search, setSearch] = useUrlState(texts)
  const state = useMemo(() => readTableState(search), [search])
  const onState = useCallback(
    (change: Partial<TableState>) => setSearch(writeTableState({ ...state, ...change })),
    [state, setSearch],
  )
  return { state, onState }
}
