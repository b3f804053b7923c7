import { expect, test, vi } from 'vitest'
import { elapsedSince, MissedBeats, moment, placeOf } from './heartbeats.ts'

test('a process has ended once twelve of its beats were missed in a row', () => {
  const missed = new MissedBeats()
  const ended = [{ id: 'a', beat: 7 }]
  for (let beat = 0; beat < 12; beat++) expect(missed.observe(ended)).toEqual([])
  expect(missed.observe([{ id: 'a', beat: 8 }])).toEqual([])
  for (let beat = 0; beat < 11; beat++) expect(missed.observe([{ id: 'a', beat: 8 }])).toEqual([])
  expect(missed.observe([{ id: 'a', beat: 8 }])).toEqual([{ id: 'a', beat: 8 }])
})

test('an interruption and an absence end nobody', () => {
  const missed = new MissedBeats()
  const one = [{ id: 'a', beat: 1 }]
  for (let beat = 0; beat < 12; beat++) missed.observe(one)
  missed.forget()
  expect(missed.observe(one)).toEqual([])
  for (let beat = 0; beat < 11; beat++) missed.observe(one)
  missed.observe([])
  expect(missed.observe(one)).toEqual([])
})

test('the clock that counted more says how long something is ago', () => {
  const { monotonic, boot } = moment()
  expect(elapsedSince({ monotonic, boot: boot - 60_000 })).toBeGreaterThanOrEqual(60_000)
  expect(elapsedSince({ monotonic: monotonic - 60_000, boot })).toBeGreaterThanOrEqual(60_000)
})

test('a clock that is set is no time that passed', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const before = moment()
  vi.setSystemTime(Date.now() + 6 * 3_600_000)
  expect(elapsedSince(before)).toBeLessThan(3_600_000)
  vi.useRealTimers()
})

test('a data directory has one name, however it is written', () => {
  expect(placeOf('/var/lib/one')).toBe(placeOf('/var/lib/../lib/one/'))
  expect(placeOf('/var/lib/one')).not.toBe(placeOf('/var/lib/two'))
})
