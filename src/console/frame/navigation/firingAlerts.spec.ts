import { expect, test } from 'vitest'
import { countFiring } from './firingAlerts.ts'

test('counts alerts that fire, and nothing else', () => {
  expect(countFiring([{ state: 'ALERT' }, { state: 'OK' }, { state: 'PENDING' }, {}, null, { state: 'ALERT' }])).toBe(2)
  expect(countFiring([])).toBe(0)
  expect(countFiring(undefined)).toBe(0)
})
