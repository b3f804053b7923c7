/** Measures the history of records: its size on the disk, how fast its pages come, and what it adds to a read. */
import { mkdtempSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordVersion } from '#contract/console/history.ts'
import { api } from '#contract/index.ts'
import type { Connections } from '#gateway/connections/connections.ts'
import { openConnections } from '#gateway/connections/openConnections.ts'
import { openDatabase } from '#gateway/database/database.ts'
import { SealedJson } from '#gateway/database/sealedJson.ts'
import { History } from '#gateway/history/history.ts'
import { historyParts } from '#gateway/history/openHistory.ts'
import { applyRetention, historyBytes } from '#gateway/history/retention.ts'
import { Documents, type DashboardDocument } from './historyDocuments.ts'
import { openSource, startBenchGateway } from './historyGateway.ts'
import { listWithHistory } from './historyReads.ts'
import { median, milliseconds, time, type Row } from './support/measure.ts'

const dashboards = Number(process.env['HISTORY_DASHBOARDS'] ?? 1_000)
const tiles = 20
const versions = 100
/** Every so many versions of a record are saved here; reads find the others. */
const savedHere = 4
const runs = 5

type Target = ReturnType<Connections['open']>

/** Nobody asks the deployment. */
const seed = openSource('http://127.0.0.1:9')

export async function history(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-history-'))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  try {
    const written = await time(() => fill(dataDir))
    const bytes = statSync(join(dataDir, 'console.db')).size
    const what = `${dashboards} dashboards of ${tiles} tiles with ${versions} versions each`
    return [
      {
        what: `History of ${what} (one tile changed at a time): its file; to write a version`,
        result: `${(bytes / 2 ** 20).toFixed(0)} MB; ${milliseconds(written / dashboards / versions)}`,
        aim: '200 MB',
      },
      ...(await pages(folder)),
      await cut(dataDir),
      await listWithHistory(join(folder, 'reads')),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes the versions as saves and reads through the gateway would, without a deployment. */
async function fill(dataDir: string): Promise<void> {
  const database = await openDatabase(dataDir)
  const { connections, dataKey } = await openConnections({ database, dataDir })
  await connections.seed([seed])
  const sealed = new SealedJson(dataKey)
  const onError = (error: unknown) => {
    throw error
  }
  const journal = new History(historyParts(database, sealed, onError))
  const target = connections.open(seed.id)
  const documents = new Documents()
  let current = Array.from({ length: dashboards }, (_, at) => documents.dashboard(at, tiles))
  await read(journal, target, current)
  for (let version = 1; version < versions; version++) {
    current = current.map((dashboard) => documents.edited(dashboard))
    if (version % savedHere === 0) for (const dashboard of current) await save(journal, target, dashboard)
    // The first read after a save is what the save led to.
    await read(journal, target, current)
  }
  await database.close()
}

async function read(journal: History, target: Target, result: readonly DashboardDocument[]): Promise<void> {
  const operation = { endpoint: api.dashboards.list, path: '/api/v2/dashboards', priority: 'user' } as const
  journal.seen(target, operation, result, performance.now(), true)
  await journal.settled()
}

async function save(journal: History, target: Target, dashboard: DashboardDocument): Promise<void> {
  const operation = {
    endpoint: api.dashboards.update,
    path: `/api/v2/dashboards/${dashboard.id}`,
    params: { id: dashboard.id },
    body: JSON.stringify(dashboard),
    priority: 'user',
    cause: { actor: 'Firefox on Linux, session 4f1c', personId: null, origin: 'console' },
  } as const
  const end = await journal.begin(target, operation)
  await end?.({ result: dashboard, requestId: '1f8b2f0e-1c7f-4d0e-9a53-7d8f9a0d5c11' })
}

/** Until the gateway listens on a full history, and then its pages. */
async function pages(folder: string): Promise<Row[]> {
  const openings: number[] = []
  const waits = { changes: [] as number[], totals: [] as number[], versions: [] as number[], old: [] as number[] }
  for (let run = 0; run < runs; run++) {
    const began = performance.now()
    const gateway = await startBenchGateway(folder, [seed])
    const get = async <T>(path: string) => JSON.parse(await gateway.text(path)) as T // the gateway's own response
    openings.push(performance.now() - began)
    const root = `/api/connections/${seed.id}/history`
    // Each run asks for another record, as the first one to do so.
    const page = await measured(waits.changes, () => get<{ items: { recordId: string }[] }>(root))
    await measured(waits.totals, () => get(`${root}/totals`))
    const id = page.items[run]?.recordId ?? ''
    const list = await measured(waits.versions, () => get<RecordVersion[]>(`${root}/records/dashboards/${id}`))
    if (list.length !== versions) throw new Error(`${list.length} versions are kept`)
    const old = list[list.length >> 1]?.version ?? ''
    const shown = await measured(waits.old, () => get<{ document: DashboardDocument }>(`${root}/versions/${old}`))
    if (shown.document.tiles.length !== tiles) throw new Error('the version is not whole')
    await gateway.close()
  }
  return [
    {
      what: 'The same: start and sign-in; first page of the changes; totals; versions of a record; an old version',
      result: [openings, waits.changes, waits.totals, waits.versions, waits.old]
        .map((each) => milliseconds(median(each)))
        .join('; '),
      aim: 'each 1 s',
    },
  ]
}

/** The daily look at the limits, where a tenth is too much. */
async function cut(dataDir: string): Promise<Row> {
  const database = await openDatabase(dataDir)
  const { dataKey } = await openConnections({ database, dataDir })
  const { states, versions } = historyParts(database, new SealedJson(dataKey), () => {})
  const bytes = (await historyBytes(database)) * 0.9
  const took = await time(() => applyRetention({ database, states, versions }, { days: 400, bytes }))
  await database.close()
  return { what: 'The same: its oldest tenth removed, once a day', result: milliseconds(took), aim: '5 s' }
}

async function measured<T>(waits: number[], work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  waits.push(performance.now() - began)
  return result
}
