/** Three-way merge of dashboards. A change of one side is applied; different changes of both sides are a conflict. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { merge, type Conflict, type Side } from '#domain/json/merge.ts'

interface Merge {
  /** Has `mine` for every conflict without a choice. */
  merged: Dashboard
  conflicts: Conflict[]
  /** Containers that one side removed while the other still puts tiles into them: they stay. */
  restored: string[]
}

/** Merges two edits of `base`: `merge` of domain/json, and containers that are still in use. */
export function mergeDashboards(
  base: Dashboard,
  mine: Dashboard,
  theirs: Dashboard,
  choices: ReadonlyMap<string, Side> = new Map(),
): Merge {
  const conflicts: Conflict[] = []
  const value = merge({ base, mine, theirs }, (conflict) => {
    conflicts.push(conflict)
    return choices.get(conflict.key) ?? 'mine'
  }) as Dashboard // merging three dashboards field by field gives a dashboard
  return { ...restoreContainers(value, mine, theirs), conflicts }
}

function restoreContainers(merged: Dashboard, mine: Dashboard, theirs: Dashboard): Omit<Merge, 'conflicts'> {
  const present = new Set(merged.containers?.map(({ id }) => id))
  const missing = new Set(
    merged.tiles.flatMap(({ containerId }) => (containerId && !present.has(containerId) ? [containerId] : [])),
  )
  const restored = [...(mine.containers ?? []), ...(theirs.containers ?? [])].filter(({ id }) => missing.delete(id))
  if (restored.length === 0) return { merged, restored: [] }
  return {
    merged: { ...merged, containers: [...(merged.containers ?? []), ...restored] },
    restored: restored.map(({ id, title }) => title ?? id),
  }
}
