import { expect, test } from 'vitest'
import type { Explanation } from '#console/charting/explanation/question.ts'
import { measureText, percentText, readText, valueLabel } from './explanationText.ts'

const explanation: Explanation = {
  ranked: [],
  attributes: 3,
  clocks: ["LogAttributes['sequence']"],
  read: { inside: 1200, outside: 1 },
  total: { inside: 4031, outside: 1 },
  requests: 9,
  way: 'rows',
}

test('says how much was read of how much, and by how many requests', () => {
  expect(readText(explanation)).toBe(
    'Compared 1,200 of 4,031 rows in the selection with all 1 row in the rest of the chart, read by 9 requests. The shares are those of the sample.',
  )
  expect(readText({ ...explanation, way: 'series', requests: 1 })).toContain('4,031 values in the selection')
  expect(measureText(explanation)).toContain(
    "3 other attributes do not differ by more than chance. Left out, because they rise with the time: LogAttributes['sequence'].",
  )
})

test('says that the deployment counted, what it read and left out', () => {
  const counts: Explanation = { ...explanation, requests: 1, way: 'counts', counted: { rowsRead: 56_241, leftOut: 12 } }
  expect(readText(counts)).toContain('counted by the deployment in one request, which read 56,241 rows. The shares')
  expect(measureText(counts)).toContain('than those that were compared: 12 attributes.')
  expect(measureText(explanation)).not.toContain('fewer rows')
})

test('shares are never rounded to nothing or everything', () => {
  const shares = [0, 0.0004, 0.026, 0.5, 0.9994, 1].map(percentText)
  expect(shares).toEqual(['0 %', '< 0.1 %', '2.6 %', '50 %', '> 99.9 %', '100 %'])
})

test('ranges have their unit', () => {
  expect(valueLabel({ kind: 'range', from: 2_000_000, to: null }, 'ns')).toBe('2 ms or more')
  expect(valueLabel({ kind: 'range', from: null, to: 1500.5 }, 'number')).toBe('less than 1,500.5')
})
