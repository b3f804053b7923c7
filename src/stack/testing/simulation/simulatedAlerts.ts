/** Hours of random alerts over random rows, evaluated minute by minute, and compared with the model. */
import { thresholdTypes } from '#contract/stack/alerts.ts'
import { alertModel } from '#domain/alerting/testing/alertModel.ts'
import type { AlertRule, WindowValues } from '#domain/alerting/evaluateWindow.ts'
import { createRandom } from '../../sample/random.ts'
import type { AlertDocument } from '../../documents/alertDocument.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import type { Store } from '../../store/store.ts'
import { alertScene, minute, sceneStart } from '../alertScene.ts'
import { alertOn, insertCounts, simulatedServices as services, subjects } from './simulatedSubjects.ts'

const intervals = ['1m', '1m', '5m', '5m', '15m', '30m', '1h'] as const
const lengths: Record<string, number> = { '1m': 1, '5m': 5, '15m': 15, '30m': 30, '1h': 60 }

export interface SimulatedAlerts {
  /** Firing and recovery, as sent. */
  sent: number
  /** Wrong and missing notifications, and windows with another state than the model's. */
  differences: string[]
}

export async function simulateAlerts(
  engine: Engine,
  { alerts, minutes }: { alerts: number; minutes: number },
): Promise<SimulatedAlerts> {
  const { next: random } = createRandom(7)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const scene = await alertScene(engine)
  const counts = randomCounts(minutes, random)
  await insertCounts(engine, counts, random)
  const watched: { alert: AlertDocument; rule: AlertRule; service: string | null }[] = []
  for (let number = 0; number < alerts; number++) {
    const service = random() < 0.3 ? pick(services) : null
    const grouped = random() < 0.5
    const interval = pick(intervals)
    const length = lengths[interval] ?? 1
    const threshold = Math.floor(random() * 5 * length)
    const changes = {
      interval,
      threshold,
      thresholdMax: threshold + Math.floor(random() * 3 * length),
      thresholdType: pick(thresholdTypes),
      numConsecutiveWindows: pick([null, 1, 2, 3]),
      scheduleOffsetMinutes: Math.floor(random() * length),
    }
    const alert = await alertOn(scene, { kind: pick(subjects), service, grouped }, changes)
    watched.push({ alert, rule: { ...changes, alertId: alert.id, grouped }, service })
  }
  for (let at = 1; at <= minutes; at++) await scene.pass(at)
  const sent = scene.sent.map(({ alertId, end, groupKey, state }) => `${alertId} ${end} ${groupKey} ${state}`)
  const models = watched.map(({ alert, rule, service }) => {
    const windows = windowsOf(alert, rule, service, counts)
    return { alert, windows, ...alertModel(rule, windows) }
  })
  const expected = models.flatMap(({ alert, changes }) =>
    changes.map(({ end, groupKey, state }) => `${alert.id} ${end} ${groupKey} ${state}`),
  )
  const wrongStates = await statesThatDiffer(scene.store, models)
  await scene.close()
  const known = new Set(expected)
  const found = new Set(sent)
  return {
    sent: sent.length,
    differences: [
      ...wrongStates,
      ...sent.filter((delivery) => !known.has(delivery)).map((delivery) => `sent, but not expected: ${delivery}`),
      ...expected.filter((delivery) => !found.has(delivery)).map((delivery) => `expected, but not sent: ${delivery}`),
      ...(found.size < sent.length ? [`${sent.length - found.size} were sent twice`] : []),
    ],
  }
}

interface ExpectedStates {
  alert: AlertDocument
  windows: readonly WindowValues[]
  /** The state in each window. */
  states: readonly string[]
}

/** Each stored state of a window that is not that of the model, `PENDING` and `OK` included. */
async function statesThatDiffer(store: Store, models: readonly ExpectedStates[]): Promise<string[]> {
  const rows = await store.rows('SELECT alert_id, ended, state FROM alert_evaluations')
  const stored = new Map(rows.map((row) => [`${row['alert_id']} ${row['ended']}`, String(row['state'])]))
  return models.flatMap(({ alert, windows, states }) =>
    windows.flatMap(({ end }, at) => {
      const state = stored.get(`${alert.id} ${end}`)
      return state === states[at] ? [] : [`${alert.id} ${end} is ${state}, expected ${states[at]}`]
    }),
  )
}

/** Rows of each service in each minute: quiet most of the time, with bursts. */
function randomCounts(minutes: number, random: () => number): number[][] {
  const levels = services.map(() => 0)
  return Array.from({ length: minutes }, () =>
    levels.map((level, place) => {
      if (random() < 0.15) levels[place] = random() < 0.4 ? 0 : Math.floor(random() * 8)
      return level === 0 ? 0 : Math.max(0, level + Math.floor(random() * 3) - 1)
    }),
  )
}

/** The windows of an alert with its values, counted row by row. */
function windowsOf(
  { interval, scheduleOffsetMinutes = 0 }: AlertDocument,
  { grouped }: AlertRule,
  service: string | null,
  counts: readonly number[][],
): WindowValues[] {
  const length = lengths[interval] ?? 1
  const windows: WindowValues[] = []
  // The first pass evaluates the window that ended last.
  let end = 1
  while ((((end - scheduleOffsetMinutes) % length) + length) % length !== 0) end--
  for (; end <= counts.length; end += length) {
    const totals = services.map((name, place) =>
      service !== null && name !== service
        ? 0
        : counts.slice(Math.max(0, end - length), Math.max(0, end)).reduce((sum, row) => sum + (row[place] ?? 0), 0),
    )
    const total = totals.reduce((sum, value) => sum + value, 0)
    const groups = services.flatMap((name, place) =>
      totals[place] ? [{ key: `ServiceName:${name}`, group: { ServiceName: name }, value: totals[place] }] : [],
    )
    const ungrouped = total > 0 ? [{ key: '', group: null, value: total }] : []
    windows.push({
      start: sceneStart + (end - length) * minute,
      end: sceneStart + end * minute,
      values: grouped ? groups : ungrouped,
    })
  }
  return windows
}
