/** How the console speaks of variants and wire names. */
import type { Connection } from '#contract/console/connections.ts'

export const variantLabels: Record<Connection['variant'], string> = { openSource: 'Open source', managed: 'Managed' }

export const namingLabels: Record<Connection['naming'], string> = {
  neutral: 'Neutral: stack, datapipes, dbVersion',
  clickhouse: 'ClickHouse: clickstack, clickpipes, clickhouseVersion',
}
