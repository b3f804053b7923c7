import { expect, test } from 'vitest'
import { replay } from '#domain/alerting/evaluate.ts'
import { alertableDisplayTypes } from '#contract/stack/dashboards/dashboards.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import type { Source } from '#contract/stack/sources.ts'
import { incidentOf } from './rhythm.ts'
import { sampleAlerts, sampleSearches } from './sampleAlerts.ts'
import { paymentWindows } from '../testing/samplePayments.ts'
import { sampleDashboard } from './sampleDashboard.ts'

const sources: Source[] = defaultSources().map((source, at) => ({ ...source, id: `${at}`.repeat(24) }))
const { name, tiles } = sampleDashboard(sources)
const dashboard = { id: 'd', name, tiles: tiles.map((tile, at) => ({ ...tile, id: `t${at}` })) }
const searches = { payments: { id: 'p' }, checkouts: { id: 'c' } }
const alerts = sampleAlerts({ dashboard, searches, webhookId: 'w' })

test('the alerts watch what exists', () => {
  const watched = dashboard.tiles.find(({ id }) => id === alerts.pending.tileId)
  expect(alertableDisplayTypes).toContain(watched?.config.displayType)
  expect(sampleSearches(sources).payments.sourceId).toBe(sources.find(({ kind }) => kind === 'log')?.id)
})

// The traffic of the shop depends on the time of the day.
const hours = Array.from({ length: 24 }, (_, at) => Date.UTC(2026, 10, 18, at, 17))

test.each(hours)('an alert fires in the incident, and only then: started at %s', (anchor) => {
  const incident = incidentOf(anchor)
  const { length, windows } = paymentWindows(alerts.fired, anchor)
  const { events } = replay({ ...alerts.fired, alertId: 'a', grouped: true }, windows)
  const [fired, resolved] = events
  expect(fired).toMatchObject({ state: 'ALERT' })
  expect(fired!.end).toBeGreaterThan(incident.start)
  expect(fired!.start).toBeLessThan(incident.end)
  expect(resolved).toMatchObject({ state: 'OK' })
  expect(events.length).toBeLessThanOrEqual(4)
  expect(events.filter(({ state, start }) => state === 'ALERT' && start >= incident.end + length)).toEqual([])
})
