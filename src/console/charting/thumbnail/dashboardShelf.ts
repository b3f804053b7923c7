/** The favorite dashboards of this browser, and those that were opened last. Holds IDs alone: names are read where they are shown. */
import { useEffect, useMemo } from 'react'
import { browserSettings, setBrowserSettings, useBrowserSetting } from '#console/shell/browserSettings.ts'

const maxRecent = 8

const keyOf = (connectionId: string, dashboardId: string) => `${connectionId}/${dashboardId}`

/** Remembers that a dashboard was opened. */
export function useDashboardVisit(connectionId: string, dashboardId: string): void {
  useEffect(() => {
    const key = keyOf(connectionId, dashboardId)
    const others = browserSettings().recentDashboards.filter((dashboard) => dashboard !== key)
    setBrowserSettings({ recentDashboards: [key, ...others].slice(0, maxRecent) })
  }, [connectionId, dashboardId])
}

export function useIsFavorite(connectionId: string, dashboardId: string): boolean {
  return useBrowserSetting('favoriteDashboards').includes(keyOf(connectionId, dashboardId))
}

/** The favorites of a connection, by ID. */
export function useFavorites(connectionId: string): ReadonlySet<string> {
  const all = useBrowserSetting('favoriteDashboards')
  return useMemo(() => {
    const prefix = keyOf(connectionId, '')
    return new Set(all.flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : [])))
  }, [all, connectionId])
}

export function toggleFavorite(connectionId: string, dashboardId: string): void {
  const key = keyOf(connectionId, dashboardId)
  const { favoriteDashboards } = browserSettings()
  setBrowserSettings({
    favoriteDashboards: favoriteDashboards.includes(key)
      ? favoriteDashboards.filter((dashboard) => dashboard !== key)
      : [...favoriteDashboards, key],
  })
}

export interface ShelvedDashboard {
  connectionId: string
  dashboardId: string
}

/** Favorites first, then those that were opened last. */
export function useDashboardShelf(): ShelvedDashboard[] {
  const favorites = useBrowserSetting('favoriteDashboards')
  const recent = useBrowserSetting('recentDashboards')
  return [...new Set([...favorites, ...recent])].map((key) => {
    const [connectionId = '', dashboardId = ''] = key.split('/')
    return { connectionId, dashboardId }
  })
}
