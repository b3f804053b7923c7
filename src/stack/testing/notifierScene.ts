/** A stack with a receiver of notifications for each test, and what is sent to it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { enqueue } from '../alerting/outbox.ts'
import { newAlert, type AlertDocument } from '../documents/alertDocument.ts'
import { alertRows } from '../documents/alertRows.ts'
import { newDashboard } from '../documents/dashboardDocument.ts'
import { dashboardRows } from '../documents/dashboardRows.ts'
import { newWebhook, webhookRows } from '../documents/webhookRows.ts'
import { webhookGuard } from '../net/webhookAddress.ts'
import type { Notifications, NotifierOptions } from '../notifications/notifier.ts'
import { createRenderer, type Renderer } from '#node/notifications/renderer.ts'
import type { Store } from '../store/store.ts'
import { startReceiver, type TestReceiver } from './testReceiver.ts'
import { startTestNotifier } from './testNotifier.ts'
import { startTestStack, type TestStack } from './testStack.ts'

const guard = webhookGuard({ allowed: ['127.0.0.1'], own: [] }, async () => [])

/** The start of the window of an event. */
export const start = Date.UTC(2026, 10, 5, 13, 4)
/** An alert, or one group of it, fires. */
export const event = (alert: AlertDocument, changes: Partial<AlertEvent> = {}): AlertEvent => ({
  alertId: alert.id,
  state: 'ALERT',
  groupKey: '',
  group: null,
  value: 12,
  start,
  end: start + 300_000,
  ...changes,
})
export const grouped = (alert: AlertDocument, name: string, changes: Partial<AlertEvent> = {}) =>
  event(alert, { groupKey: `service:${name}`, group: { service: name }, ...changes })

/** Registers the hooks of a spec. The stack and the receiver are those of the running test. */
export function notifierScene() {
  let stack: TestStack
  let receiver: TestReceiver
  let running: Notifications[] = []
  // One process for all tests: starting it takes longer than a test.
  const shared = createRenderer()
  const renderer: Renderer = { ...shared, close: () => Promise.resolve() }
  beforeAll(() => shared.prepare())
  afterAll(() => shared.close())
  beforeEach(async () => {
    ;[stack, receiver] = await Promise.all([
      startTestStack({ notifications: { guard, interval: 3_600_000 } }),
      startReceiver(),
    ])
  })
  afterEach(async () => {
    await Promise.all(running.map((notifier) => notifier.close()))
    running = []
    await Promise.all([stack.close(), receiver.close()])
  })

  async function notifier(options: Partial<NotifierOptions> = {}): Promise<Notifications> {
    const started = await startTestNotifier(stack.store, { guard, renderer, ...options })
    running.push(started)
    return started
  }

  let count = 0
  async function addWebhook(changes: object = {}): Promise<string> {
    const input = { name: `Hook ${count++}`, service: 'generic' as const, url: `${receiver.url}/hook`, ...changes }
    const webhook = newWebhook(input)
    await webhookRows.insert(stack.store, webhook)
    return webhook.id
  }

  const addAlert = (webhookIds: readonly string[], changes: object = {}) =>
    insertAlert(stack.store, webhookIds, changes)

  const put = (alert: AlertDocument, ...events: AlertEvent[]) =>
    stack.store.write((transaction) => enqueue(transaction, alert, events))

  const deliveries = async (alert: AlertDocument): Promise<AlertDelivery[]> =>
    (await stack.openSource('GET', `/alerts/${alert.id}/deliveries`)).json.data

  const ended = async (alert: AlertDocument) => {
    await expect.poll(async () => (await deliveries(alert)).filter(({ status }) => status === 'pending')).toEqual([])
    return deliveries(alert)
  }
  /** The messages of its failed deliveries. */
  const errors = async (alert: AlertDocument) =>
    ((await alertRows.get(stack.store, alert.id))?.executionErrors ?? [])
      .filter(({ type }) => type === 'WEBHOOK_ERROR')
      .map(({ message }) => message)
  const waiting = async () => (await stack.store.rows('SELECT seq FROM alert_outbox')).length

  return {
    get stack() {
      return stack
    },
    get receiver() {
      return receiver
    },
    /** A further notifier, closed after the test. */
    notifier,
    addWebhook,
    addAlert,
    put,
    deliveries,
    ended,
    errors,
    waiting,
  }
}

/** Stores an alert on a tile, which notifies webhooks. */
async function insertAlert(store: Store, webhookIds: readonly string[], changes: object): Promise<AlertDocument> {
  const dashboard = newDashboard({ name: 'Shop', tiles: [] })
  await dashboardRows.insert(store, dashboard)
  const channels = webhookIds.map((webhookId) => ({ type: 'webhook' as const, webhookId }))
  const input = {
    source: 'tile' as const,
    dashboardId: dashboard.id,
    tileId: 'errors',
    interval: '5m',
    threshold: 10,
    thresholdType: 'above',
    channels,
    ...changes,
  }
  const alert = newAlert(input, 'team')
  await alertRows.insert(store, alert)
  return alert
}
