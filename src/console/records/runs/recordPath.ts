import { paths } from '#console/paths/paths.ts'
import type { ComparedKind } from '#contract/console/environments.ts'

/** The page of a record. */
export function recordPath(kind: ComparedKind, connectionId: string, id: string): string {
  switch (kind) {
    case 'dashboards':
      return paths.dashboard(connectionId, id)
    case 'alerts':
      return paths.alert(connectionId, id)
    case 'savedSearches':
      return paths.savedSearch(connectionId, id)
    case 'sources':
      return paths.source(connectionId, id)
    case 'webhooks':
      return paths.webhook(connectionId, id)
  }
}
