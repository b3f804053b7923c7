import { mapsIn } from '#console/charting/chartRequest.ts'
import { asSqlFor } from '#console/charting/search/conditionAsSql.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import type { TileScope } from '#console/charting/tiles/tileQuery.ts'
import type { TimeRange } from '#console/ui/time/range.ts'
import { gridColumns } from '#contract/stack/dashboards/dashboards.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Span } from '#domain/time/span.ts'
import type { Zone } from '#domain/time/zone.ts'
import { ShareDialog } from './ShareDialog.tsx'

interface ShareTileProps {
  connection: Connection
  sources: readonly Source[]
  /** The tile, or why the chart cannot be shared as one. */
  saved: { config: TileConfig; name: string } | { refused: string }
  span: Span
  range: TimeRange
  zone: Zone
  granularity: TileScope['granularity']
  onClose: () => void
}

/** The dialog of links that show one chart, as a tile would. */
export function ShareTile({ connection, sources, saved, span, range, zone, granularity, onClose }: ShareTileProps) {
  const scope: TileScope = {
    span,
    zone,
    granularity,
    conditions: [],
    sourceId: (id) => id,
    mapsOf: mapsIn(sources),
    toSql: asSqlFor(sources),
  }
  const tiles = 'refused' in saved ? [] : [{ id: 'chart', ...saved, x: 0, y: 0, w: gridColumns, h: 14 }]
  return (
    <ShareDialog
      connection={connection}
      name={tiles[0]?.name ?? 'Chart'}
      span={span}
      isMoving={range.to === 'now'}
      shown={{ sources, scope, tiles, nameOf: ({ name = '' }) => name }}
      refused={'refused' in saved ? saved.refused : undefined}
      onClose={onClose}
    />
  )
}
