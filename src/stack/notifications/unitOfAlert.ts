/** The unit of the values of an alert, for the texts of its notifications and tests. */
import { tileAlertQuery, type AlertSeriesQuery } from '#domain/alerting/alertQuery.ts'
import { comparedUnit, tileFormat } from '#domain/alerting/comparedUnit.ts'
import { unitsByKey, type MetricUnits } from '#domain/series/seriesUnits.ts'
import type { Unit } from '#domain/charts/units.ts'
import type { Source } from '#contract/stack/sources.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { watchedRecords, watchedTile } from '../alerting/reading/watchedQuery.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { metricNames } from '../telemetry/metricNames.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'

interface UnitDependencies {
  store: Store
  engine: Engine
  readable: () => Promise<Readable>
}

/** Milliseconds that reading the unit of a metric may take. A message is sent without it then. */
const timeLimit = 3000

/** The number format of the tile, or what its durations and metrics tell; `number` for all else, and where it cannot be read. */
export async function unitOfAlert(alert: AlertDocument, parts: UnitDependencies): Promise<Unit> {
  if (alert.source !== 'tile') return 'number'
  try {
    const { config } = await watchedTile(alert, watchedRecords(parts.store))
    const format = tileFormat(config)
    if (format) return format
    const query = tileAlertQuery(config)
    if (query.kind !== 'series') return 'number'
    const { sources } = await parts.readable()
    const source = sources.find(({ id }) => id === query.sourceId)
    return comparedUnit(query, source, source?.kind === 'metric' ? await metricUnits(query, source, parts) : new Map())
  } catch {
    return 'number'
  }
}

async function metricUnits(
  { series }: AlertSeriesQuery,
  source: Source,
  { engine, readable }: UnitDependencies,
): Promise<MetricUnits> {
  const only = series.flatMap(({ metricName: name, metricDataType: type }) => (name && type ? [{ name, type }] : []))
  const { databases } = await readable()
  const read = { now: currentTime(), only, signal: AbortSignal.timeout(timeLimit) }
  return unitsByKey(await metricNames(engine, source, databases, read))
}
