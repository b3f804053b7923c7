import { expect, test } from 'vitest'
import { LoadStopped, stopCounter } from './loadStopped.ts'

test('a pipe that makes no progress says where it is at the fifth try', () => {
  const stops = stopCounter()
  const at = (place: string) => stops.note(new LoadStopped(place, new Error('no room')), '')
  expect(Array.from({ length: 4 }, () => at('offset 7'))).toEqual(['', '', '', ''])
  expect(at('offset 7')).toBe('. No progress at offset 7 in 5 tries')
  expect(at('offset 7')).toBe('. No progress at offset 7 in 6 tries')
  expect(at('offset 8')).toBe('. No progress at offset 8 in 7 tries')
  expect(stops.note(new LoadStopped('offset 9', new Error('no room')), '1 row')).toBe('')
  expect(Array.from({ length: 9 }, () => stops.note(new Error('unreachable'), ''))).toEqual(Array(9).fill(''))
})

test('so does one of which other replicas make progress', () => {
  const stops = stopCounter()
  const tries = Array.from({ length: 10 }, (_, at) => {
    return stops.note(new LoadStopped(`partition ${at % 2}`, new Error('no room')), `${at} rows`)
  })
  expect(tries.slice(8)).toEqual([0, 1].map((partition) => `. No progress at partition ${partition} in 5 tries`))
})

test('a pipe that stopped at a record is held until it makes progress', async () => {
  const stops = stopCounter()
  expect(await stops.isHeld(async () => '1 row')).toBe(false)
  stops.note(new LoadStopped('offset 7', new Error('no room')), '1 row')
  expect(await stops.isHeld(async () => '1 row')).toBe(true)
  expect(await stops.isHeld(async () => '2 rows')).toBe(false)
  stops.note(new Error('unreachable'), '1 row')
  expect(await stops.isHeld(async () => '1 row')).toBe(false)
})
