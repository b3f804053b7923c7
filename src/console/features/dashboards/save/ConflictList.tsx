import type { Dashboard } from '#contract/dashboards.ts'
import type { Side } from '#console/ui/form/conflict.ts'
import { ConflictTable } from '#console/ui/form/ConflictTable.tsx'
import type { Conflict } from '#domain/json/merge.ts'
import { useSourceNames } from '../model/useSourceNames.ts'
import { formatPath, formatValue } from './formatChanges.ts'

interface ConflictListProps {
  conflicts: readonly Conflict[]
  choices: ReadonlyMap<string, Side>
  onChoose: (conflict: string, side: Side) => void
  dashboards: Dashboard[]
}

/** Changes of both sides, side by side: one of the two must be chosen. */
export function ConflictList({ conflicts, choices, onChoose, dashboards }: ConflictListProps) {
  const names = useSourceNames()
  const sideText = (value: unknown) => (value === undefined ? 'removed' : formatValue(value, names))
  return (
    <ConflictTable
      rows={conflicts.map(({ key, path, base, theirs, mine }) => ({
        key,
        title: formatPath(path, ...dashboards),
        original: formatValue(base, names),
        theirs: sideText(theirs),
        mine: sideText(mine),
      }))}
      sideOf={(conflict) => choices.get(conflict)}
      onChoose={onChoose}
    />
  )
}
