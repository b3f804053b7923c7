/** Which SQL tiles alerts can use: docs/DEPLOYMENTS.md#alerts. */
import { alertableDisplayTypes } from '#contract/stack/dashboards/dashboards.ts'
import type { StrictTileConfig } from '#contract/stack/dashboards/tileConfigs.ts'
import { usesInterval } from '#domain/alerting/sqlTemplate.ts'

/** @returns why an alert cannot use the tile, or null. Other tiles are not checked, as on deployments. */
export function alertOnSqlTile(config: StrictTileConfig): string | null {
  if (config.configType !== 'sql') return null
  if (!alertableDisplayTypes.includes(config.displayType)) {
    return 'Alerts on Raw SQL tiles are only supported for Line, Stacked Bar, or Number display types'
  }
  if (config.displayType !== 'number' && !usesInterval(config.sqlTemplate)) {
    return 'Raw SQL alert query is invalid: SQL used for alerts must include an interval parameter or macro.'
  }
  return null
}
