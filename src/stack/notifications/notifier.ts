/** Notifications of this stack: what is sent, and sending it to try a webhook. */
import type { Logger } from 'pino'
import type {
  NotificationInput,
  NotifiedEvent,
  NotifiedAlert,
  Watched,
} from '#domain/alerting/notification/notified.ts'
import { inUnit } from '#domain/alerting/notification/inUnit.ts'
import type { Notification } from '#domain/alerting/notification/renderNotification.ts'
import { sampleNotification } from '#domain/alerting/notification/sampleNotification.ts'
import { sampleLines } from '#domain/alerting/notification/samples.ts'
import type { Unit } from '#domain/charts/units.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { createRenderer, RendererBusy, type Renderer } from '#node/notifications/renderer.ts'
import type { WebhookGuard } from '../net/webhookAddress.ts'
import { Refusal } from '../refusal.ts'
import type { Store, Queries } from '../store/store.ts'
import { startDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { idempotencyKeyOf } from '../alerting/eventKeys.ts'
import type { OutboxEntry } from '../alerting/outbox.ts'
import type { AlertDocument } from '../documents/alertDocument.ts'
import type { SendResult } from '../alerting/deliveryRows.ts'
import { testNotification, type TestedNotification, type TestEntry } from './alertTest.ts'
import { createSender, type Receiver } from './webhookSender.ts'
import { watchedSearchNames, watchedTileNames } from '#domain/alerting/notification/watchedNames.ts'
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { dashboardRows } from '#stack/documents/dashboardRows.ts'
import { savedSearchRows } from '#stack/documents/savedSearchRows.ts'

/** Rows of the window that an event is about, of its group only: a list of values for each row. */
type SampleRows = (alert: OutboxEntry['alert'], event: OutboxEntry['event']) => Promise<readonly (readonly unknown[])[]>

export interface Notifications {
  /** Sends what was enqueued without waiting for the next look at the outbox. */
  wake(): void
  /** Sends a notification with fixed values. */
  test(receiver: Receiver, signal: AbortSignal): Promise<SendResult>
  /** Sends the message of an alert to its channels, marked as a test. */
  testAlert(alert: AlertDocument, event: NotifiedEvent, signal: AbortSignal): Promise<TestedNotification>
  close(): Promise<void>
}

export interface NotifierOptions extends Pick<
  DispatcherOptions,
  'count' | 'exclusive' | 'retryDelays' | 'interval' | 'shutdownTime' | 'now' | 'clock'
> {
  store: Store
  guard: WebhookGuard
  /** Base URL of the console, for links. */
  consoleUrl: string
  logger: Logger
  sampleRows?: SampleRows
  /** The unit of the values of an alert. Default: none is known. */
  unitOf?: (alert: AlertDocument) => Promise<Unit>
  /** Milliseconds that one request may take. */
  timeout?: number
  /** Renders what is sent. The notifier closes it. Default: a process for this notifier. */
  renderer?: Renderer
}

/** Tests that may wait for others. */
const maxTests = 20

/** Milliseconds that a receiver has in the test of an alert, in which a person waits for two requests at most. */
const alertTestTime = 15_000

/** Milliseconds that reading sample rows may take. A notification is sent without them then. */
const sampleTime = 5000

export async function startNotifier(options: NotifierOptions): Promise<Notifications> {
  const { store, guard, consoleUrl, logger, sampleRows, unitOf, timeout, renderer, ...timing } = options
  // Two processes, so that people who try templates never delay what is sent.
  const deliveries = renderer ?? createRenderer()
  const tests = createRenderer({ maxWaiting: maxTests })
  const send = createSender({ guard, ...(timeout !== undefined && { timeout }) })

  const renderBy =
    (process: Renderer, read = contentOf) =>
    async (entry: TestEntry, webhook: Pick<Receiver, 'service' | 'body'>): Promise<Notification> => {
      const { alert, event, eventId } = entry
      return process.render({ alert, event, ...(await read(entry)), consoleUrl, eventId, ...templateOf(webhook) })
    }

  /** The records read for a message, besides its alert and event. */
  async function contentOf(entry: TestEntry) {
    const { alert, event } = entry
    const [watched, samples, unit] = await Promise.all([
      watchedOf(store, alert),
      samplesOf(entry),
      unitOf?.(alert) ?? 'number',
    ])
    return { watched, samples, inUnit: inUnit(alert, event.value, unit) }
  }

  /** `contentOf` that reads once for all webhooks of a test. */
  function readOnce(): typeof contentOf {
    const known = new Map<NotifiedEvent['state'], ReturnType<typeof contentOf>>()
    return (entry) => {
      const content = known.get(entry.event.state) ?? contentOf(entry)
      known.set(entry.event.state, content)
      return content
    }
  }

  async function samplesOf({ alert, event }: TestEntry): Promise<string[]> {
    if (!sampleRows || event.state !== 'ALERT') return []
    const tooLate = new Promise<[]>((done) => setTimeout(done, sampleTime, []).unref())
    const rows = await Promise.race([sampleRows(alert, event), tooLate]).catch((error: unknown) => {
      logger.warn({ err: error, alert: alert.id }, 'The sample rows of a notification could not be read')
      return []
    })
    return sampleLines(rows)
  }

  const dispatcher: Dispatcher = await startDispatcher({
    ...timing,
    store,
    prepare: () => deliveries.prepare(),
    render: renderBy(deliveries),
    send,
    logger,
  })
  return {
    wake: () => dispatcher.wake(),
    async test(receiver, signal) {
      const input = sampleNotification({
        ...templateOf(receiver),
        consoleUrl,
        state: 'INSUFFICIENT_DATA',
        now: currentTime(),
      })
      const { payload, problems } = await tests.render(input).catch(refuseIfBusy)
      if (payload === null) return { outcome: 'failed', reason: problems.join(' '), duration: 0 }
      return send(receiver, payload, idempotencyKeyOf(input.eventId, input.event), signal)
    },
    testAlert(alert, event, signal) {
      const test = { store, render: renderBy(tests, readOnce()), send: createSender({ guard, timeout: alertTestTime }) }
      return testNotification(test, alert, event, signal).catch(refuseIfBusy)
    },
    async close() {
      await dispatcher.close()
      await Promise.all([deliveries.close(), tests.close()])
    },
  }
}

function refuseIfBusy(error: unknown): never {
  throw error instanceof RendererBusy ? new Refusal(503, error.message) : error
}

function templateOf({
  service,
  body,
}: Pick<Receiver, 'service' | 'body'>): Pick<NotificationInput, 'service' | 'body'> {
  return { service, body }
}

/**
 * The subject of an alert, by name, for its notifications. The names at the time of the notification; without those of
 * a record that is damaged.
 */
export async function watchedOf(queries: Queries, alert: NotifiedAlert): Promise<Watched> {
  const { source, dashboardId, tileId, savedSearchId } = alert
  if (source !== 'tile')
    return watchedSearchNames(await savedSearchRows.get(queries, savedSearchId ?? '').catch(undefinedIfDamaged))
  const dashboard = dashboardId ? await dashboardRows.get(queries, dashboardId).catch(undefinedIfDamaged) : undefined
  return watchedTileNames(dashboard, tileId)
}
