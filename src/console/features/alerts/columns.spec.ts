import { expect, test } from 'vitest'
import type { Alert } from '#contract/stack/alerts.ts'
import { alertColumns } from './columns.tsx'

const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const hour = 3_600_000

test.each<[string, Alert['silenced'], boolean]>([
  ['none', undefined, false],
  ['one that has not ended', { by: null, at: at(-hour), until: at(hour) }, true],
  [
    'one that has ended and is kept for windows that are still to be evaluated',
    { by: null, at: at(-hour), until: at(-1) },
    false,
  ],
])('an alert is silenced by a silence in effect: %s', (_, silenced, expected) => {
  const rule = { threshold: 1, thresholdType: 'above', interval: '1m', source: 'tile' }
  const alert: Alert = { id: 'a', state: 'ALERT', ...rule, silenced }
  const columns = alertColumns({
    connectionId: 'c',
    names: { dashboards: new Map(), webhooks: undefined, savedSearches: undefined },
    history: false,
  })
  const column = columns.find(({ id }) => id === 'silenced')
  expect(column?.value?.(alert)).toBe(expected)
})
