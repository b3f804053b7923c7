import { distinct, type Field } from '#console/charting/fields.ts'
import { useKnownFields } from '#console/charting/useKnownFields.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { TileData } from './dataScope.ts'

/**
 * The distinct columns of the sources, for suggestions. Reading the attributes of records costs requests, so they are read
 * only if `enabled`, and only from the page's own connection (a paired one has other source IDs).
 */
export function useColumns({ connectionId }: TileData, sources: readonly Source[], enabled: boolean): Field[] {
  const own = useConnection().id
  const columnsOf = useKnownFields(own, sources, enabled && connectionId === own ? sources.map(({ id }) => id) : [])
  return distinct(sources.flatMap(({ id }) => columnsOf(id)))
}

/** The sources that tiles of a dashboard read. */
export function tiledSources({ tiles }: Dashboard, sources: readonly Source[] = []): readonly Source[] {
  const read = new Set(tiles.map(({ config }) => config?.sourceId))
  return sources.filter(({ id }) => read.has(id))
}
