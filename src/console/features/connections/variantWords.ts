/** How the console speaks of variants, wire names and colours. */
import type { Connection } from '#contract/connections.ts'

export const variantWords: Record<Connection['variant'], string> = { openSource: 'Open source', managed: 'Managed' }

export const namingWords: Record<Connection['naming'], string> = {
  neutral: 'Neutral: stack, datapipes, dbVersion',
  clickhouse: 'ClickHouse: clickstack, clickpipes, clickhouseVersion',
}

export const colorWords: Record<Connection['color'], string> = {
  gray: 'Grey',
  blue: 'Blue',
  green: 'Green',
  amber: 'Amber',
  red: 'Red',
  violet: 'Violet',
}
