/** Tests an alert: its query, its condition, its message and its channels, one step after the other. */
import { thresholdLabels, type alerts } from '#contract/stack/alerts.ts'
import type { AlertTestResult } from '#contract/stack/alertTests.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { NotifiedEvent } from '#domain/alerting/notification/notified.ts'
import type { Evaluation } from '#domain/alerting/evaluation.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { evaluateNow, type EvaluatedNow } from '../alerting/evaluateNow.ts'
import { newAlert, type AlertDocument, type AlertInput } from '../documents/alertDocument.ts'
import { alertRows } from '../documents/alertRows.ts'
import { notFound, refuse } from '../refusal.ts'
import type { Identity } from '../store/identity.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'
import type { Notifications } from './notifier.ts'
import { unitOfAlert } from './unitOfAlert.ts'

interface TestContext {
  store: Store
  identity: Identity
  engine: Engine | null
  notifications: Notifications
  signal: AbortSignal
}

interface TestDependencies<Context> {
  /** Refuses an alert that refers to what does not exist. */
  check: (alert: AlertInput, queries: Queries) => Promise<void>
  /** The sources and databases that alerts may read. */
  readable: (context: Context) => Promise<Readable>
}

/** Time limit of the query, in which a person waits. */
const maxSeconds = 10

export const alertTestHandlers = <Context extends TestContext>({
  check,
  readable,
}: TestDependencies<Context>): Pick<Handlers<typeof alerts, Context>, 'test'> => ({
  async test({ body }, context): Promise<AlertTestResult> {
    const alert = await testedAlert(body, context, check)
    const { engine, store, notifications, signal } = context
    if (!engine) return { query: { error: { type: 'QUERY_ERROR', message: 'This stack has no telemetry engine.' } } }
    const evaluated = await evaluateNow(alert, {
      store,
      engine,
      readable: () => readable(context),
      now: currentTime(),
      maxSeconds,
      signal,
    })
    if ('error' in evaluated) {
      const { type, message } = evaluated.error
      return { query: { error: { type, message } } }
    }
    const unit = await unitOfAlert(alert, { store, engine, readable: () => readable(context) })
    const result = { query: queryOf(evaluated), condition: conditionOf(alert, evaluated.evaluation, unit) }
    const event = eventOf(alert, evaluated)
    return event ? { ...result, ...(await notifications.testAlert(alert, event, signal)) } : result
  },
})

/** The stored alert, or what is typed with the ID of the stored one. */
async function testedAlert(
  { alertId, alert }: { alertId?: string | undefined; alert?: AlertInput | undefined },
  { store, identity }: Pick<TestContext, 'store' | 'identity'>,
  check: TestDependencies<TestContext>['check'],
): Promise<AlertDocument> {
  const stored = alertId === undefined ? undefined : await alertRows.get(store, alertId)
  if (alertId !== undefined && !stored) throw notFound('Alert')
  if (alert) {
    await check(alert, store)
    const typed = newAlert(alert, identity.teamId)
    return stored ? { ...typed, id: stored.id } : typed
  }
  if (!stored) throw refuse('Give the alertId of a stored alert, or an alert')
  return stored
}

function queryOf({ evaluation, windows, milliseconds }: EvaluatedNow): AlertTestResult['query'] {
  const { start, end, value, noRows, groups, groupsTotal } = evaluation
  return {
    start,
    end,
    windows,
    value,
    noRows,
    ...(groups && { groups: groups.map((group) => ({ group: group.key, value: group.value, state: group.state })) }),
    ...(groupsTotal !== undefined && { groupsTotal }),
    duration: milliseconds,
  }
}

function conditionOf(
  alert: AlertDocument,
  evaluation: Evaluation,
  unit: Unit,
): NonNullable<AlertTestResult['condition']> {
  const state = evaluation.state === 'INSUFFICIENT_DATA' ? 'OK' : evaluation.state
  const needed = alert.numConsecutiveWindows ?? 1
  const { value } = evaluation
  if (value === null) return { state, text: 'No row matched, so there is no group and no value to compare.' }
  const verdict = {
    ALERT: 'the alert fires',
    PENDING: `the alert is pending until ${needed} consecutive windows violate the threshold`,
    OK: 'the alert does not fire',
  }[state]
  const rows = evaluation.noRows ? ', because no row matched' : ''
  return {
    state,
    text: `The value is ${formatValue(value, unit)}${rows}, and the alert fires ${thresholdOf(alert, unit)}: ${verdict}.`,
  }
}

/** "at least 10", "between 1 and 5" */
function thresholdOf({ thresholdType, threshold, thresholdMax }: AlertDocument, unit: Unit): string {
  const label = Object.entries(thresholdLabels).find(([type]) => type === thresholdType)?.[1] ?? thresholdType
  const isRange = thresholdType.endsWith('between')
  // Without a unit as it was entered, without separators.
  const text = (value: number) => (unit === 'number' ? String(value) : formatValue(value, unit))
  return `when it is ${label} ${text(threshold)}${isRange && thresholdMax !== undefined ? ` and ${text(thresholdMax)}` : ''}`
}

/** The event that is sent: the first group that fires, or the one nearest to it. Null without any value. */
function eventOf(alert: AlertDocument, { evaluation, isGrouped }: EvaluatedNow): NotifiedEvent | null {
  const { start, end, groups, value } = evaluation
  const [first] = groups ?? []
  if (value === null || (isGrouped && !first)) return null
  return {
    alertId: alert.id,
    state: 'ALERT',
    groupKey: first?.key ?? '',
    group: first?.group ?? null,
    value: first?.value ?? value,
    start,
    end,
    test: { violates: (first?.state ?? evaluation.state) !== 'OK' },
  }
}
