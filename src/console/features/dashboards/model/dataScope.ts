import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { TileScope } from '#console/charting/tiles/tileQuery.ts'
import type { Zone } from '#domain/time/zone.ts'

/** The target and parameters of tile queries, common to all tiles of a dashboard. */
export interface TileData {
  /** The connection that provides the data; null if there is none. */
  connectionId: string | null
  /** Why no tile has data; null if they have. */
  reason: string | null
  /** null while it is not known yet. */
  scope: TileScope | null
  /** Sources of the query connection, as far as they are known. */
  sources: readonly Source[]
  zone: Zone
  /** The dashboard as it is stored, and the connection that stores it: Raw SQL tiles are read as they are saved. */
  saved: { connectionId: string; dashboard: Dashboard }
}

/** The connections whose changes the charts of a dashboard mark: its own, and the one that provides the data. */
export const markedConnections = ({ connectionId, saved }: Pick<TileData, 'connectionId' | 'saved'>) => ({
  connectionId: connectionId === null ? null : saved.connectionId,
  deploymentsOf: connectionId ?? undefined,
})
