import { expect, test } from 'vitest'
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import { attemptChips, deliveryProblem, formatDeliveredEvent, formatDeliveryEffort } from './deliveryLabels.ts'
import { groupOfKey } from './previewedEvent.ts'

const delivery: AlertDelivery = {
  id: 'd',
  alertId: 'a',
  service: 'generic',
  state: 'ALERT',
  groupKey: 'service:checkout',
  start: 0,
  end: 60_000,
  status: 'failed',
  attempts: [
    { at: '', reason: 'The receiver did not answer within 30 s.' },
    { at: '', reason: 'The receiver answered with 400.', status: 400, answer: 'upstream connect error' },
  ],
  attemptCount: 2,
  createdAt: '2026-11-20T00:00:00.000Z',
  finishedAt: '2026-11-20T00:00:06.400Z',
}

test('a failed delivery says what happened', () => {
  expect(attemptChips(delivery).map(({ text, tone }) => [text, tone])).toEqual([
    ['No answer', 'warn'],
    ['400', 'bad'],
  ])
  expect(deliveryProblem(delivery)).toBe('The receiver answered with 400. Answer: upstream connect error')
  expect(formatDeliveryEffort(delivery)).toBe('2 attempts, 6.4 s')
  expect(formatDeliveredEvent(delivery)).toBe('Fired, service:checkout')
})

test('a delivered one has no problem, a waiting one no attempts', () => {
  expect(deliveryProblem({ ...delivery, status: 'delivered' })).toBeNull()
  expect(formatDeliveryEffort({ ...delivery, attempts: [], attemptCount: 0, finishedAt: undefined })).toBe(
    'not sent yet',
  )
})

test.each([
  ['service:checkout', { service: 'checkout' }],
  ['service:a, region:eu', { service: 'a', region: 'eu' }],
  ['service:a, region IS NULL', { service: 'a', region: null }],
  ['region IS NULL, service:a', { region: null, service: 'a' }],
  ['url:http://a/b, c, host:x', { url: 'http://a/b, c', host: 'x' }],
  ['url:"a, host:b", host:x', { url: 'a, host:b', host: 'x' }],
])('the group of %s', (key, group) => {
  expect(groupOfKey(key)).toEqual(group)
})
