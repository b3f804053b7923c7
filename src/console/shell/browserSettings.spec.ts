import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBrowserSettings } from './browserSettings.ts'

test('settings are read from storage with any content', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.constant(null)), (text) => {
      const { singleKeys, navFolded, connectionId, recents } = parseBrowserSettings(text)
      expect([typeof singleKeys, typeof navFolded, typeof connectionId]).toEqual(['boolean', 'boolean', 'string'])
      expect(recents.every((id) => typeof id === 'string')).toBe(true)
    }),
  )
  expect(parseBrowserSettings('{"tour":-1}').tour).toBe(0)
  expect(parseBrowserSettings('{"tour":2.5}').tour).toBe(0)
  expect(parseBrowserSettings('{"tour":"dismissed"}').tour).toBe('dismissed')
  expect(parseBrowserSettings('{"singleKeys":false,"recents":["a"]}')).toMatchObject({
    singleKeys: false,
    recents: ['a'],
  })
})
