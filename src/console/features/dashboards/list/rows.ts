/** The rows of the list: the summary of a dashboard with its displayed values. */
import type { Alert } from '#contract/stack/alerts.ts'
import type { DashboardSummary } from '#contract/stack/dashboards/dashboards.ts'
import { counted } from '#domain/text/words.ts'
import { matchesTerms, searchText, searchTerms } from '#console/ui/search.ts'
import { stateRank, stateWord, worstState } from '../model/alertStates.ts'

export interface DashboardRow {
  id: string
  name: string
  tags: readonly string[]
  tileCount: number
  /** Where its tiles lie: `domain/dashboards/outlineText.ts`. */
  outline: string
  alerts: readonly Alert[]
  /** The worst state of its alerts; undefined if there are none or they are not loaded. */
  worst: string | undefined
}

const none: readonly Alert[] = []

/** One pass over the alerts, however many dashboards there are. Ordered by name. */
export function rowsOf(dashboards: readonly DashboardSummary[], alerts: readonly Alert[] | undefined): DashboardRow[] {
  const byDashboard = new Map<string, Alert[]>()
  for (const alert of alerts ?? none) {
    if (alert.source !== 'tile' || !alert.dashboardId) continue
    const found = byDashboard.get(alert.dashboardId)
    if (found) found.push(alert)
    else byDashboard.set(alert.dashboardId, [alert])
  }
  return dashboards
    .map(({ id, name, tags, tileCount, outline, unevaluatedTiles }) => {
      const own = byDashboard.get(id) ?? none
      return {
        id,
        name: name || 'Untitled dashboard',
        tags,
        tileCount,
        outline,
        alerts: own,
        worst: worstState(own, (tileId) => !unevaluatedTiles.includes(tileId ?? '')),
      }
    })
    .toSorted((a, b) => collator.compare(a.name, b.name))
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** All tags with the number of dashboards that have them, most used first. */
export function tagCounts(rows: readonly DashboardRow[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const tag of rows.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((a, b) => b.count - a.count || collator.compare(a.tag, b.tag))
}

/** A part of the cards: the favorites, those with a tag, or those without one. */
interface Folder {
  kind: 'favorites' | 'tag' | 'untagged'
  name: string
  rows: DashboardRow[]
}

/** Each row once, in its order: under the favorites, or else under its first tag. One folder without a name if there are no others. */
export function foldersOf(rows: readonly DashboardRow[], isFavorite: (row: DashboardRow) => boolean): Folder[] {
  const favorites = rows.filter(isFavorite)
  const others = rows.filter((row) => !isFavorite(row))
  const tags = [...new Set(others.flatMap(({ tags }) => tags[0] ?? []))].toSorted(collator.compare)
  const untagged = others.filter(({ tags }) => tags.length === 0)
  const isOnly = favorites.length === 0 && tags.length === 0
  const folders: Folder[] = [
    { kind: 'favorites', name: 'Favorites', rows: favorites },
    ...tags.map((tag): Folder => ({ kind: 'tag', name: tag, rows: others.filter(({ tags }) => tags[0] === tag) })),
    { kind: 'untagged', name: isOnly ? '' : 'Without a tag', rows: untagged },
  ]
  return folders.filter(({ rows }) => rows.length > 0)
}

/** The rows of folders on a page. @param page 1 for the first */
export function pageOf(folders: readonly Folder[], page: number, size: number): Folder[] {
  const first = (page - 1) * size
  let before = 0
  return folders.flatMap((folder) => {
    const rows = folder.rows.slice(Math.max(0, first - before), Math.max(0, first + size - before))
    before += folder.rows.length
    return rows.length > 0 ? { ...folder, rows } : []
  })
}

/** Rows with all of the tags and all of the search words, in the text of their card. */
export function filterRows(rows: readonly DashboardRow[], tags: readonly string[], search = ''): DashboardRow[] {
  const words = searchTerms(search)
  return rows.filter((row) => {
    if (!tags.every((tag) => row.tags.includes(tag))) return false
    const shown = [row.name, counted(row.tileCount, 'tile'), formatAlerts(row), ...row.tags]
    return matchesTerms(searchText(shown.join('\n'), row.id), words)
  })
}

/** How many alerts a dashboard has, and the worst of their states: "2 · firing". Empty if there are none. */
export function formatAlerts({ alerts, worst }: DashboardRow): string {
  return alerts.length === 0 || worst === undefined ? '' : `${alerts.length} · ${stateWord(worst)}`
}

/** Rows in the order of a column: by the worst state of their alerts, or by the number of tiles. */
export function sortRows(
  rows: readonly DashboardRow[],
  sort: { column: string; descending: boolean } | null,
): readonly DashboardRow[] {
  const sign = sort?.descending ? -1 : 1
  switch (sort?.column) {
    case 'name':
      return sort.descending ? rows.toReversed() : rows
    case 'tiles':
      return rows.toSorted((a, b) => sign * (a.tileCount - b.tileCount))
    case 'alerts':
      return rows.toSorted(
        (a, b) => sign * (stateRank(b.worst) - stateRank(a.worst) || a.alerts.length - b.alerts.length),
      )
    default:
      return rows
  }
}
