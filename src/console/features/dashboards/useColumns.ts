import { distinct, type Field } from '#console/api/fields.ts'
import { useKnownFields } from '#console/api/useKnownFields.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Dashboard } from '#contract/dashboards.ts'
import type { Source } from '#contract/sources.ts'
import type { TileData } from './view/dataScope.ts'

const none: readonly Source[] = []

/**
 * Columns of each source, for suggestions. The attributes of their records are read once they are `wanted`, where the page's own
 * connection answers: a paired one knows its sources by other ids.
 */
export function useColumns(
  { connectionId }: TileData,
  sources: readonly Source[] = none,
  wanted = true,
): (sourceId: string) => Field[] {
  const own = useConnection().id
  return useKnownFields(own, sources, wanted && connectionId === own)
}

/** The sources that tiles of a dashboard read. */
export function tiledSources({ tiles }: Dashboard, sources: readonly Source[] = none): readonly Source[] {
  const read = new Set(tiles.map(({ config }) => config?.sourceId))
  return sources.filter(({ id }) => read.has(id))
}

/** The columns of several sources, each name once. */
export function columnsOfAll(columnsOf: (sourceId: string) => Field[], sources: readonly Source[]): Field[] {
  return distinct(sources.flatMap(({ id }) => columnsOf(id)))
}
