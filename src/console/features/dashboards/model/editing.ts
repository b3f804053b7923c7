/** Every edit of a dashboard, as a function from one dashboard to the next. Parts that an edit does not change stay the same objects. */
import { clampPosition, firstFreePosition, type GridPosition } from '#domain/dashboards/gridPositions.ts'
import type { Dashboard, Tile } from '#contract/stack/dashboards/dashboards.ts'
import { copyTile, freshId } from './duplicate.ts'
import { placeTile } from './layout.ts'
import { type Container, tilesOnSameGrid, sectionsOf, tabsOf, tilesOnTab } from '#domain/dashboards/sections.ts'

/** Where a tile is: in no group, in a group, or on one of its tabs. */
export interface TileLocation {
  containerId?: string | undefined
  tabId?: string | undefined
}

export function updateTile(dashboard: Dashboard, id: string, change: (tile: Tile) => Tile): Dashboard {
  return { ...dashboard, tiles: dashboard.tiles.map((tile) => (tile.id === id ? change(tile) : tile)) }
}

/** Moves or resizes a tile; tiles of the same grid make room. */
export function moveTile(dashboard: Dashboard, id: string, place: Partial<GridPosition>): Dashboard {
  return withTiles(dashboard, placeTile(tilesOnSameGrid(dashboard, id), id, place))
}

/** Moves tiles to new places, by ID. */
export function withTiles(dashboard: Dashboard, changed: readonly Tile[]): Dashboard {
  const byId = new Map(changed.map((tile) => [tile.id, tile]))
  const tiles = dashboard.tiles.map((tile) => byId.get(tile.id) ?? tile)
  return tiles.every((tile, index) => tile === dashboard.tiles[index]) ? dashboard : { ...dashboard, tiles }
}

/** Puts a new tile on the first free place of its home. */
export function addTile(dashboard: Dashboard, tile: Omit<Tile, 'id' | 'x' | 'y'>, home: TileLocation = {}): Dashboard {
  const place = firstFreePosition(tilesAt(dashboard, home).map(clampPosition), { w: Number(tile.w), h: Number(tile.h) })
  const added: Tile = withLocation({ ...tile, ...place, id: freshId() }, home)
  return { ...dashboard, tiles: [...dashboard.tiles, added] }
}

export function duplicateTile(dashboard: Dashboard, id: string): Dashboard {
  const tile = dashboard.tiles.find((candidate) => candidate.id === id)
  if (!tile) return dashboard
  return { ...dashboard, tiles: [...dashboard.tiles, copyTile(tile, tilesOnSameGrid(dashboard, id))] }
}

export function removeTiles(dashboard: Dashboard, ids: readonly string[]): Dashboard {
  return { ...dashboard, tiles: dashboard.tiles.filter(({ id }) => !id || !ids.includes(id)) }
}

/** Moves a tile into another group or tab, or out of all, onto the first free place there. */
export function moveTileToSection(dashboard: Dashboard, id: string, home: TileLocation): Dashboard {
  const others = tilesAt(dashboard, home).filter((tile) => tile.id !== id)
  return updateTile(dashboard, id, (tile) =>
    withLocation({ ...tile, ...firstFreePosition(others.map(clampPosition), tile) }, home),
  )
}

function withLocation({ containerId: _c, tabId: _t, ...tile }: Tile, { containerId, tabId }: TileLocation): Tile {
  return { ...tile, ...(containerId && { containerId }), ...(containerId && tabId && { tabId }) } as Tile // the same fields, places replaced
}

function tilesAt(dashboard: Dashboard, { containerId, tabId }: TileLocation): Tile[] {
  const section = sectionsOf(dashboard).find(
    ({ container }) => (container?.id ?? undefined) === (containerId || undefined),
  )
  return section ? tilesOnTab(section, tabId) : []
}

/** An empty group below the others, with as many tabs. */
export function addGroup(dashboard: Dashboard, title: string, tabs: number): Dashboard {
  const container: Container = {
    id: freshId(),
    title,
    collapsed: false,
    ...(tabs > 0 && {
      tabs: Array.from({ length: tabs }, (_, index) => ({ id: freshId(), title: `Tab ${index + 1}` })),
    }),
  }
  return { ...dashboard, containers: [...(dashboard.containers ?? []), container] }
}

/** Puts tiles into a new group, in the order and places they have. */
export function groupTiles(dashboard: Dashboard, ids: readonly string[], title: string): Dashboard {
  const container: Container = { id: freshId(), title, collapsed: false }
  const grouped = { ...dashboard, containers: [...(dashboard.containers ?? []), container] }
  return {
    ...grouped,
    tiles: grouped.tiles.map((tile) =>
      tile.id && ids.includes(tile.id) ? withLocation(tile, { containerId: container.id }) : tile,
    ),
  }
}

export function updateContainer(dashboard: Dashboard, id: string, change: Partial<Container>): Dashboard {
  return {
    ...dashboard,
    containers: (dashboard.containers ?? []).map((container) =>
      container.id === id ? { ...container, ...change } : container,
    ),
  }
}

/** Removes a group. Its tiles move below the others, or are removed too. */
export function removeContainer(dashboard: Dashboard, id: string, tiles: 'keep' | 'remove'): Dashboard {
  const inside = dashboard.tiles.filter(({ containerId }) => containerId === id)
  const emptied = inside.reduce(
    (result, tile) =>
      tiles === 'keep' && tile.id
        ? moveTileToSection(result, tile.id, {})
        : removeTiles(result, tile.id ? [tile.id] : []),
    dashboard,
  )
  return { ...emptied, containers: (emptied.containers ?? []).filter((container) => container.id !== id) }
}

/** Moves a group up (-1) or down (1) among the groups. */
export function moveContainer(dashboard: Dashboard, id: string, by: -1 | 1): Dashboard {
  const containers = [...(dashboard.containers ?? [])]
  const from = containers.findIndex((container) => container.id === id)
  const to = from + by
  if (from < 0 || to < 0 || to >= containers.length) return dashboard
  containers.splice(to, 0, ...containers.splice(from, 1))
  return { ...dashboard, containers }
}

/** Adds a tab. The first call adds two: the tiles of the group move to the first one. */
export function addTab(dashboard: Dashboard, containerId: string, title: string): Dashboard {
  const container = dashboard.containers?.find(({ id }) => id === containerId)
  if (!container) return dashboard
  const tabs = tabsOf(container)
  const before = tabs.length > 0 ? tabs : [{ id: freshId(), title: 'Tab 1' }]
  return updateContainer(dashboard, containerId, { tabs: [...before, { id: freshId(), title }] })
}

/** Removes a tab. Its tiles move to the first remaining tab. */
export function removeTab(dashboard: Dashboard, containerId: string, tabId: string): Dashboard {
  const container = dashboard.containers?.find(({ id }) => id === containerId)
  if (!container) return dashboard
  const tabs = tabsOf(container).filter(({ id }) => id !== tabId)
  const moved = dashboard.tiles
    .filter((tile) => tile.containerId === containerId && tile.tabId === tabId)
    .reduce(
      (result, { id }) => (id ? moveTileToSection(result, id, { containerId, tabId: tabs[0]?.id }) : result),
      dashboard,
    )
  return updateContainer(moved, containerId, { tabs })
}
