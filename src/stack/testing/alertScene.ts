/** Alerts over a real engine and a real store, with a clock that tests set. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { alertInputStrict } from '#contract/stack/alerts.ts'
import { evaluationsQuery } from '#contract/stack/alertHistory.ts'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import type { Source } from '#contract/stack/sources.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { certainClock } from '#node/testing/testClock.ts'
import { Passes, type PassDependencies } from '../alerting/pass.ts'
import { newAlert, type AlertDocument } from '../documents/alertDocument.ts'
import { evaluationsOf } from '../documents/alertEvaluations.ts'
import { alertRows } from '../documents/alertRows.ts'
import { newDashboard } from '../documents/dashboardDocument.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { newSavedSearch, savedSearchRows } from '../documents/savedSearchRows.ts'
import { openStore, type Store } from '../store/store.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { readableDatabases } from '../telemetry/readableTables.ts'
import type { LogRow } from '../telemetry/tableRows.ts'
import { tables } from '../telemetry/tables.ts'

export const minute = 60_000

/** Ten o'clock yesterday, epoch milliseconds. Processes that a test starts have its day, also after midnight. */
export const sceneStart = Number((process.env['ALERT_SCENE_START'] ??= `${tenYesterday()}`))

function tenYesterday(): number {
  return (Math.floor(currentTime() / 86_400_000) - 1) * 86_400_000 + 10 * 60 * minute
}

const idOf = (kind: string) => kind.padEnd(12, '0')
const sceneSources: Source[] = defaultSources().map((source) => ({ ...source, id: idOf(source.kind) }))
export const sourceIds = { log: idOf('log'), trace: idOf('trace'), metric: idOf('metric') }

const oid = 'a'.repeat(24)
/** The webhook that all alerts notify. It does not exist unless a test creates it. */
export const sceneWebhookId = oid
const never = new AbortController().signal

export interface AlertScene {
  store: Store
  readable: PassDependencies['readable']
  /** The enqueued events, as `minute group state value`. */
  sent: AlertEvent[]
  clock: { now: number }
  /** Inserts logs at a minute after the start. */
  logs(at: number, rows: readonly Partial<LogRow>[]): Promise<void>
  /** An alert on a new tile, or on a new saved search. */
  alert(config: object, changes?: object): Promise<AlertDocument>
  searchAlert(search: object, changes?: object): Promise<AlertDocument>
  read(id: string): Promise<AlertDocument>
  /** The evaluations of an alert, oldest first. */
  evaluations(id: string): Promise<Awaited<ReturnType<typeof evaluationsOf>>['items']>
  /** Runs a pass at a minute after the start. */
  pass(at: number): Promise<unknown>
  /** Runs a pass at the time of the clock. */
  run: Passes['run']
  close(): Promise<void>
}

/** @param target a store that is already open is closed by its owner */
export async function alertScene(engine: Engine, options: Partial<PassDependencies> = {}): Promise<AlertScene> {
  const directory = await mkdtemp(join(tmpdir(), 'alerts-'))
  const store = options.store ?? (await openStore({ file: join(directory, 'stack.db') }))
  const clock = { now: sceneStart }
  const sent: AlertEvent[] = []
  const readable: PassDependencies['readable'] = async () => ({
    sources: sceneSources,
    databases: readableDatabases({ engine, services: [], named: [] }),
  })
  const passes = new Passes({
    store,
    engine,
    readable,
    enqueue: async (_, __, events) => void sent.push(...events),
    holder: 'test',
    clock: certainClock(() => clock.now),
    ...options,
  })

  async function insertAlert(watched: object, changes: object): Promise<AlertDocument> {
    const channel = { type: 'webhook', webhookId: sceneWebhookId }
    const input = { interval: '1m', threshold: 1, thresholdType: 'above', channel, ...watched, ...changes }
    const alert = newAlert(alertInputStrict.parse(input), oid)
    await store.write((transaction) => alertRows.insert(transaction, alert))
    return alert
  }

  return {
    store,
    readable,
    sent,
    clock,
    logs: (at, rows) =>
      engine.insert(
        tables.logs,
        rows.map((row) => ({ Timestamp: `${(sceneStart + at * minute) / 1000}.000000000`, ...row })),
      ),
    async alert(config, changes = {}) {
      const dashboard = newDashboard({
        name: 'D',
        tiles: [{ name: 't', x: 0, y: 0, w: 1, h: 1, config: tileConfigStrict.parse(config) }],
      })
      await store.write((transaction) => dashboardRows.insert(transaction, dashboard))
      return insertAlert({ source: 'tile', dashboardId: dashboard.id, tileId: dashboard.tiles[0]?.id }, changes)
    },
    async searchAlert(search, changes = {}) {
      const defaults = { name: 's', sourceId: sourceIds.log, select: '', where: '', orderBy: '', tags: [], filters: [] }
      const saved = newSavedSearch({ ...defaults, whereLanguage: 'lucene', ...search }, oid)
      await store.write((transaction) => savedSearchRows.insert(transaction, saved))
      return insertAlert({ source: 'saved_search', savedSearchId: saved.id }, changes)
    },
    async read(id) {
      const alert = await alertRows.get(store, id)
      if (!alert) throw new Error(`no alert ${id}`)
      return alert
    },
    evaluations: async (id) => (await evaluationsOf(store, id, evaluationsQuery.parse({}))).items.toReversed(),
    pass(at) {
      clock.now = sceneStart + at * minute
      return passes.run(never)
    },
    run: (signal) => passes.run(signal),
    async close() {
      if (!options.store) await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Events as text: minute of the window's end, group, state and value. */
export function shownEvents(events: readonly AlertEvent[]): string[] {
  return events.map(
    ({ state, groupKey, end, value }) =>
      `${(end - sceneStart) / minute} ${groupKey}${groupKey && ' '}${state} ${value}`,
  )
}
