import { distinct, type Field } from '#console/telemetry/fields.ts'
import { useKnownFields } from '#console/telemetry/useKnownFields.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Dashboard } from '#contract/dashboards.ts'
import type { Source } from '#contract/sources.ts'
import type { TileData } from './dataScope.ts'

/**
 * Columns of the sources, each name once, for suggestions. The attributes of their records cost requests: they are read once they
 * are `wanted`, where the page's own connection answers (a paired one knows its sources by other ids).
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
