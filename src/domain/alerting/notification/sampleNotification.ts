/** The notifications of tests and previews: fixed values for everything that a template can use. */
import type { NotificationInput, NotifiedEvent } from './notified.ts'

interface SampleOptions {
  service: string
  body?: string | null | undefined
  consoleUrl: string
  state: NotifiedEvent['state']
  now: number
}

const window = 300_000

/** A test has the moment of sending as its window, and a state that opens no incident. */
export function sampleNotification({ service, body, consoleUrl, state, now }: SampleOptions): NotificationInput {
  const isTest = state === 'INSUFFICIENT_DATA'
  const end = isTest ? now : Math.floor(now / window) * window
  return {
    alert: {
      id: 'test-alert-id',
      teamId: 'test-team-id',
      name: isTest ? 'Test notification' : null,
      message: isTest ? 'This notification was sent to test the webhook. Nothing is wrong.' : 'Message of the alert.',
      note: 'Note of the alert.',
      threshold: 10,
      thresholdType: 'above',
      interval: '5m',
      source: 'tile',
      dashboardId: 'test-dashboard-id',
      tileId: 'test-tile-id',
    },
    event: {
      alertId: 'test-alert-id',
      state,
      groupKey: 'service:checkout',
      group: { service: 'checkout' },
      value: state === 'OK' ? 4 : 12,
      start: isTest ? now : end - window,
      end,
    },
    watched: { name: 'Errors', dashboard: 'Shop', query: 'level:error' },
    samples: isTest ? [] : ['checkout,error,"Payment failed"'],
    consoleUrl,
    eventId: 'test-event-id',
    service,
    body,
  }
}
