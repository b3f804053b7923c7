/** How the console speaks of variants and wire names. */
import type { Connection } from '#contract/connections.ts'

export const variantWords: Record<Connection['variant'], string> = { openSource: 'Open source', managed: 'Managed' }

export const namingWords: Record<Connection['naming'], string> = {
  neutral: 'Neutral: stack, datapipes, dbVersion',
  clickhouse: 'ClickHouse: clickstack, clickpipes, clickhouseVersion',
}
