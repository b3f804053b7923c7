/** Sample rows of alerts on tiles and saved searches of logs and traces. */
import { savedSearchConditions } from '../alerting/reading/question.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import { dashboardRows, type StoredTile } from '../documents/dashboardRows.ts'
import { savedSearchRows } from '../documents/savedSearchRows.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine.ts'
import { matchingRows, type RowsQuestion } from '../telemetry/series/matchingRows.ts'
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
    const question = alert.source === 'tile' ? await tileRows(store, alert) : await searchRows(store, alert)
    if (!question || groups) return []
    const asked: RowsQuestion = { ...question, group, start, end, limit: sampleCount }
    return matchingRows(engine, asked, await readable(), AbortSignal.timeout(timeLimit))
  }
}

type CountedRows = Pick<RowsQuestion, 'sourceId' | 'conditions'>

async function searchRows(store: Store, { savedSearchId }: AlertDocument): Promise<CountedRows | null> {
  const search = savedSearchId === undefined ? undefined : await savedSearchRows.get(store, savedSearchId)
  return search ? { sourceId: search.sourceId, conditions: [savedSearchConditions(search)] } : null
}

async function tileRows(store: Store, { dashboardId, tileId }: AlertDocument): Promise<CountedRows | null> {
  const dashboard = dashboardId === undefined ? undefined : await dashboardRows.get(store, dashboardId)
  const tile = dashboard?.tiles.find(({ id }) => id === tileId)
  return tile ? questionOf(tile.config) : null
}

function questionOf(config: StoredTile['config']): CountedRows | null {
  if (!config || !('select' in config) || !Array.isArray(config.select) || !('sourceId' in config)) return null
  const { sourceId, select } = config
  if (!sourceId) return null
  const conditions = select.map((series) => {
    if (typeof series !== 'object' || !('where' in series)) return []
    return [{ text: series.where, language: series.whereLanguage === 'sql' ? ('sql' as const) : ('lucene' as const) }]
  })
  return { sourceId, conditions }
}
