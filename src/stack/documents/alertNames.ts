/** The display name and the tags of alerts: their own, or those of what they watch. */
import type { Queries } from '../store/store.ts'
import type { AlertDocument, AlertInput } from './alertDocument.ts'
import { dashboardRows } from './dashboardRows.ts'
import { savedSearchRows } from './savedSearchRows.ts'

interface AlertNames {
  displayName: string
  tags: readonly string[]
}

type Watching = Pick<AlertInput, 'dashboardId' | 'tileId' | 'savedSearchId'>

/** The name and the tags of what an alert watches; empty if that was deleted. */
async function watchedNames({ dashboardId, tileId, savedSearchId }: Watching, queries: Queries): Promise<AlertNames> {
  const search = savedSearchId ? await savedSearchRows.get(queries, savedSearchId) : undefined
  if (search) return { displayName: search.name, tags: search.tags }
  const dashboard = dashboardId ? await dashboardRows.get(queries, dashboardId) : undefined
  const tile = dashboard?.tiles.find(({ id }) => id === tileId)
  return { displayName: tile?.name ?? '', tags: dashboard?.tags ?? [] }
}

/** Alerts as clients of the product expect them: always with a display name and tags. */
export async function withNames(alerts: readonly AlertDocument[], queries: Queries): Promise<AlertDocument[]> {
  const known = new Map<string, Promise<AlertNames>>()
  return Promise.all(
    alerts.map(async (alert) => {
      if (alert.displayName !== undefined && alert.tags !== undefined) return alert
      const key = [alert.savedSearchId, alert.dashboardId, alert.tileId].join(' ')
      const names = known.get(key) ?? watchedNames(alert, queries)
      known.set(key, names)
      const { displayName, tags } = await names
      return { ...alert, displayName: alert.displayName ?? displayName, tags: alert.tags ?? [...tags] }
    }),
  )
}

/** An alert that a client sends back as it was read: names that are those of what it watches stay so. */
export async function withoutWatchedNames(input: AlertInput, queries: Queries): Promise<AlertInput> {
  if (input.displayName == null && input.tags == null) return input
  const watched = await watchedNames(input, queries)
  const { displayName, tags, ...rest } = input
  return {
    ...rest,
    ...(displayName !== watched.displayName && { displayName }),
    ...(JSON.stringify(tags) !== JSON.stringify(watched.tags) && { tags }),
  }
}
