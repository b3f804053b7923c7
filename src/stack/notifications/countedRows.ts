/** Sample rows of alerts on tiles and saved searches of logs and traces. */
import type { AlertQuery } from '#domain/alerting/alertQuery.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import { watchedQuery, watchedRecords } from '../alerting/reading/watchedQuery.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { matchingRows, type RowsQuery } from '../telemetry/series/matchingRows.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'
import type { NotifierOptions } from './notifier.ts'

const sampleCount = 5
/** Milliseconds that the engine may take. */
const timeLimit = 4000

/** Reads the rows that an alert counted, of the group that fired. Raw SQL tiles have none. */
export function countedRows(
  engine: Engine,
  store: Store,
  readable: () => Promise<Readable>,
): NonNullable<NotifierOptions['sampleRows']> {
  return async (alert, { group, start, end, groups }) => {
    const alertQuery = groups ? null : await queryOf(alert, store)
    if (alertQuery?.kind !== 'series') return []
    const conditions = alertQuery.series.map((series) => series.conditions)
    const rows: RowsQuery = { sourceId: alertQuery.sourceId, conditions, group, start, end, limit: sampleCount }
    return matchingRows(engine, rows, await readable(), AbortSignal.timeout(timeLimit))
  }
}

/** Null if the alert watches nothing that can be read. Its execution errors say why. */
async function queryOf(alert: AlertDocument, store: Store): Promise<AlertQuery | null> {
  try {
    return await watchedQuery(alert, watchedRecords(store))
  } catch (error) {
    if (error instanceof ExecutionError) return null
    throw error
  }
}
