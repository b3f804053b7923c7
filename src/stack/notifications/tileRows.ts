/** Sample rows of alerts on tiles of logs and traces. */
import type { AlertDocument } from '../documents/alertDocument.ts'
import { dashboardRows, type StoredTile } from '../documents/dashboardRows.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine.ts'
import { matchingRows, type RowsQuestion } from '../telemetry/series/matchingRows.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'
import type { NotifierOptions } from './notifier.ts'

const sampleCount = 5
/** Milliseconds that the engine may take. */
const timeLimit = 4000

/** Reads the rows that an alert on a tile counted, of the group that fired. Raw SQL tiles have none. */
export function tileRows(
  engine: Engine,
  store: Store,
  readable: () => Promise<Readable>,
): NonNullable<NotifierOptions['sampleRows']> {
  return async (alert, { group, start, end, groups }) => {
    const config = await configOf(store, alert)
    const question = config && questionOf(config)
    if (!question || groups) return []
    const asked: RowsQuestion = { ...question, group, start, end, limit: sampleCount }
    return matchingRows(engine, asked, await readable(), AbortSignal.timeout(timeLimit))
  }
}

async function configOf(
  store: Store,
  { dashboardId, tileId }: AlertDocument,
): Promise<StoredTile['config'] | undefined> {
  const dashboard = dashboardId === undefined ? undefined : await dashboardRows.get(store, dashboardId)
  return dashboard?.tiles.find(({ id }) => id === tileId)?.config
}

function questionOf(config: StoredTile['config']): Pick<RowsQuestion, 'sourceId' | 'conditions'> | null {
  if (!config || !('select' in config) || !Array.isArray(config.select) || !('sourceId' in config)) return null
  const { sourceId, select } = config
  if (!sourceId) return null
  const conditions = select.map((series) => {
    if (typeof series !== 'object' || !('where' in series)) return []
    return [{ text: series.where, language: series.whereLanguage === 'sql' ? ('sql' as const) : ('lucene' as const) }]
  })
  return { sourceId, conditions }
}
