import { expect, test } from 'vitest'
import { combinedProgress, describeProgress, shareOf } from './progressText.ts'

const progress = (rowsRead: number, rowsTotal: number, state = 'running') => ({ id: 'a', state, rowsRead, rowsTotal })

test.each([
  [progress(12_345_678, 40_000_000), 'Reading 12 of 40 million rows'],
  [progress(1_250_000, 4_000_000), 'Reading 1.2 of 4 million rows'],
  [progress(0, 2_000_000_000), 'Reading 0 of 2 billion rows'],
  [progress(300, 900), 'Reading 300 of 900 rows'],
  [progress(50_000, 60_000), 'Reading 50 of 60 thousand rows'],
  // The total is an estimate.
  [progress(70_000, 60_000), '70 thousand rows read so far'],
  [progress(131_072, 131_072), '131 thousand rows read so far'],
  [progress(0, 0), 'Still loading'],
  [progress(0, 5000, 'waiting'), 'Waiting for other queries'],
  [null, 'Still loading'],
])('%o is %s', (of, text) => {
  expect(describeProgress(of)).toBe(text)
})

test('a query that goes on after all its rows were read has no share', () => {
  expect([progress(3, 4), progress(4, 4), progress(5, 4), progress(0, 0), null].map(shareOf)).toEqual([
    0.75,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('the requests of one read are added, and it waits only while all of them do', () => {
  expect(combinedProgress([progress(1, 10), progress(0, 20, 'waiting')])).toMatchObject({
    state: 'running',
    rowsRead: 1,
    rowsTotal: 30,
  })
  expect(combinedProgress([progress(0, 20, 'waiting')])?.state).toBe('waiting')
  expect(combinedProgress([])).toBeNull()
})
