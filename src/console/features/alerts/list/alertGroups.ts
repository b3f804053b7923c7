/** The order of the list, and its groups. */
import { alertName, formatChannels, savedSearchName, watchedTile, type Names } from '#console/usages/alertNames.ts'
import { shownState } from '#console/usages/alertStatus.ts'
import { formatAlertState, stateRank } from '#console/records/alerts/alertStates.ts'
import type { Alert } from '#contract/stack/alerts.ts'

export const groupings = ['none', 'state', 'dashboard', 'channel'] as const
export type Grouping = (typeof groupings)[number]

export const groupingLabels: Record<Grouping, string> = {
  none: 'Not grouped',
  state: 'State',
  dashboard: 'Dashboard',
  channel: 'Channels',
}

/** Firing first, then pending, errors, OK and paused; the same state by name. */
export function alertOrder(names: Names): (a: Alert, b: Alert) => number {
  const rank = (alert: Alert) => stateRank(shownState(alert, watchedTile(alert, names)))
  return (a, b) => rank(a) - rank(b) || alertName(a, names).localeCompare(alertName(b, names))
}

/** The title of an alert's group. Alerts with the same channels are one group, so that each alert is in one. */
export function alertGroup(grouping: Grouping, names: Names): ((alert: Alert) => string) | undefined {
  switch (grouping) {
    case 'none':
      return undefined
    case 'state':
      return (alert) => formatAlertState(shownState(alert, watchedTile(alert, names))).label
    case 'dashboard':
      return (alert) => dashboardTitle(alert, names)
    case 'channel':
      return (alert) => formatChannels(alert, names) || 'No channel'
  }
}

function dashboardTitle(alert: Alert, names: Names): string {
  if (alert.source === 'saved_search') return `Saved search: ${savedSearchName(alert.savedSearchId ?? '', names)}`
  const id = alert.dashboardId ?? ''
  return names.dashboards.get(id)?.name || id || 'No dashboard'
}
