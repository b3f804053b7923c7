import { expect, test } from 'vitest'
import { replay } from '#domain/alerting/evaluate.ts'
import { windowLength } from '#domain/alerting/schedule.ts'
import { alertableDisplayTypes } from '#contract/dashboards.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import type { Source } from '#contract/sources.ts'
import { incidentOf } from './rhythm.ts'
import { sampleAlerts, sampleSearches } from './sampleAlerts.ts'
import { sampleDashboard } from './sampleDashboard.ts'
import { generateSlice, sliceAt } from './shop.ts'

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

/** Times of the logs that the watched saved search finds in a slice, without the engine. */
function paymentErrors(anchor: number, index: number): number[] {
  return generateSlice(anchor, index)
    .logs.map(({ record }) => record as { timeUnixNano: string; severityText: string; body: { stringValue: string } })
    .filter(({ severityText, body }) => severityText === 'ERROR' && body.stringValue.includes('payment provider'))
    .map(({ timeUnixNano }) => Number(BigInt(timeUnixNano) / 1_000_000n))
}

// The traffic of the shop depends on the time of the day.
const hours = Array.from({ length: 24 }, (_, at) => Date.UTC(2026, 10, 18, at, 17))

test.each(hours)('an alert fires in the incident, and only then: started at %s', (anchor) => {
  const incident = incidentOf(anchor)
  const length = windowLength(alerts.fired) ?? 0
  const slices = [28, 29, 30, 31]
  const times = slices.flatMap((index) => paymentErrors(anchor, index))
  const from = Math.ceil(sliceAt(anchor, 31).start / length) * length
  const windows = Array.from({ length: 15 }, (_, at) => from + at * length).map((start) => ({
    start,
    end: start + length,
    values: [{ key: '', group: null, value: times.filter((time) => time >= start && time < start + length).length }],
  }))
  const { events } = replay({ ...alerts.fired, alertId: 'a', grouped: false }, windows)
  const [fired, resolved] = events
  expect(fired).toMatchObject({ state: 'ALERT' })
  expect(fired!.end).toBeGreaterThan(incident.start)
  expect(fired!.start).toBeLessThan(incident.end)
  expect(resolved).toMatchObject({ state: 'OK' })
  expect(events.length).toBeLessThanOrEqual(4)
  expect(events.filter(({ state, start }) => state === 'ALERT' && start >= incident.end + length)).toEqual([])
})
