/**
 * The layout of a dashboard: tiles without a section, then sections ("containers" in the API), some with tabs. Each part has a
 * separate grid.
 */
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'

export type Container = NonNullable<Dashboard['containers']>[number]

/** Where a tile belongs. */
export type PlacedTile = Pick<Tile, 'containerId' | 'tabId'>

export interface Section<T extends PlacedTile = Tile> {
  /** null: the tiles that are in no group. */
  container: Container | null
  /** Empty if the group has fewer than two tabs, and so no tab bar. */
  tabs: { id: string; title: string }[]
  tiles: T[]
}

/** The tabs of a container; none if it has no list of them. */
export function tabsOf(container: Record<string, unknown>): { id: string; title: string }[] {
  if (!Array.isArray(container.tabs)) return []
  return container.tabs.flatMap((tab: unknown) =>
    isPlainObject(tab) && typeof tab.id === 'string'
      ? [{ id: tab.id, title: typeof tab.title === 'string' ? tab.title : tab.id }]
      : [],
  )
}

/** All sections, the ungrouped tiles first. A tile of an unknown group is ungrouped. */
export function sectionsOf<T extends PlacedTile>(dashboard: {
  tiles: readonly T[]
  containers?: readonly Container[] | undefined
}): Section<T>[] {
  const containers = dashboard.containers ?? []
  const known = new Set(containers.map(({ id }) => id))
  const free = dashboard.tiles.filter(({ containerId }) => !containerId || !known.has(containerId))
  return [
    { container: null, tabs: [], tiles: free },
    ...containers.map((container) => {
      const tabs = tabsOf(container)
      return {
        container,
        tabs: tabs.length > 1 ? tabs : [],
        tiles: dashboard.tiles.filter(({ containerId }) => containerId === container.id),
      }
    }),
  ]
}

/** The selected tab, or the first if that does not exist; undefined if the group has no tabs. */
export function openTab({ tabs }: Pick<Section, 'tabs'>, tabId: string | undefined): string | undefined {
  return tabs.some(({ id }) => id === tabId) ? tabId : tabs[0]?.id
}

/** The tiles on one tab; a tile of a tabbed group that names no tab, or one that is not there, is on the first. */
export function tilesOnTab<T extends PlacedTile>(section: Section<T>, tabId: string | undefined): T[] {
  if (section.tabs.length === 0) return section.tiles
  const shown = openTab(section, tabId)
  return section.tiles.filter((tile) => openTab(section, tile.tabId) === shown)
}

/** The tiles that share a grid with this one, itself among them. */
export function tilesOnSameGrid(dashboard: Dashboard, tileId: string): Tile[] {
  const section = sectionsOf(dashboard).find(({ tiles }) => tiles.some(({ id }) => id === tileId))
  const tile = section?.tiles.find(({ id }) => id === tileId)
  return section && tile ? tilesOnTab(section, openTab(section, tile.tabId)) : []
}
