import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { markerKinds } from '#contract/console/markerKinds.ts'
import { parseMarkerSettings } from './markerSettings.ts'

test('all changes are marked at first', () => {
  expect(parseMarkerSettings(null)).toEqual({ shown: true, hidden: [], service: '' })
})

test('settings are read as they were stored', () => {
  const settings = { shown: false, hidden: ['alert', 'record'], service: 'payment' }
  expect(parseMarkerSettings(JSON.stringify(settings))).toEqual(settings)
})

test('whatever is stored gives settings that can be used', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { shown, hidden, service } = parseMarkerSettings(text)
      expect(typeof shown).toBe('boolean')
      expect(typeof service).toBe('string')
      expect(hidden.every((kind) => markerKinds.includes(kind))).toBe(true)
    }),
  )
})
