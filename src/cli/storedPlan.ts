/** Whether a plan that was made earlier still holds. */
import { comparableOf, differences } from '#domain/records/comparable.ts'
import { recordKey } from '#domain/records/directory.ts'
import { directoryOf, type Inventory } from '#domain/records/inventory.ts'
import type { Plan } from '#domain/records/plan.ts'

/** The names of records that have changed since the plan was made. */
export function changedSincePlan({ steps }: Plan, inventory: Inventory): string[] {
  const names = steps.flatMap(({ kind, id, name, after }) =>
    id === null || after === null ? [] : [[recordKey(kind, id), name] as const],
  )
  const directory = directoryOf(inventory, new Map(names))
  return steps.flatMap(({ kind, name, id, before, action }) => {
    if (action === 'same') return []
    if (id === null) return directory.id(kind, name) === undefined ? [] : [name]
    const stored = directory.get(kind, id)
    const isSame = stored && before && differences(before, comparableOf(kind, stored, directory)).length === 0
    return isSame ? [] : [name]
  })
}
