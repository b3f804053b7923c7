import { expect, test } from 'vitest'
import type { AlertEvent } from '#domain/alerting/alertEvent.ts'
import { eventIdOf, idempotencyKeyOf } from './eventKeys.ts'

const event: AlertEvent = { alertId: 'a', state: 'ALERT', groupKey: '', group: null, value: 1, start: 0, end: 60_000 }
const keyOf = (changes: Partial<AlertEvent>) => idempotencyKeyOf(eventIdOf('w', event), { ...event, ...changes })

test('an event has the same key however often it is sent, and another one at the end of a silence', () => {
  expect(keyOf({})).toMatch(/^[0-9a-f]{40}$/)
  expect(keyOf({ value: 2, cause: 'changed' })).toBe(keyOf({}))
  // The window was sent before the silence began.
  expect(keyOf({ cause: 'silence_ended' })).not.toBe(keyOf({}))
  expect(keyOf({ state: 'OK' })).not.toBe(keyOf({}))
  // The same window came again, because the clock was set back.
  expect(keyOf({ clockSetBack: 1 })).not.toBe(keyOf({}))
  expect(keyOf({ clockSetBack: 2 })).not.toBe(keyOf({ clockSetBack: 1 }))
})

test('the ID of an event is that of its group and webhook, firing and resolved', () => {
  const group = { ...event, groupKey: 'service:a', group: { service: 'a' } }
  expect(eventIdOf('w', { ...group, state: 'OK' })).toBe(eventIdOf('w', group))
  expect(eventIdOf('w', { ...group, groupKey: 'service:b' })).not.toBe(eventIdOf('w', group))
  expect(eventIdOf('v', group)).not.toBe(eventIdOf('w', group))
})
