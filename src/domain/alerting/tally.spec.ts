import { expect, test } from 'vitest'
import { groupOf, Tally } from './tally.ts'

test('NULL, no text and a text like NULL are three groups', () => {
  const values = [null, '', 'NULL', ' IS NULL']
  const groups = values.map((value) => groupOf(['service'], [value]))
  expect(groups.map(({ key }) => key)).toEqual(['service IS NULL', 'service:', 'service:NULL', 'service: IS NULL'])
  expect(groups.map(({ group }) => group?.['service'])).toEqual(values)
})

test('a window has the values of all of them', () => {
  const window = { start: 0, end: 60_000 }
  const tally = new Tally(
    {
      kind: 'series',
      sourceId: 's',
      groupBy: ['service'],
      series: [{ aggFn: 'count', conditions: [] }],
      value: { kind: 'series', index: 0 },
    },
    [window],
  )
  for (const [at, value] of [null, '', 'NULL'].entries()) tally.add(0, [value], [String(at + 1)])
  expect(tally.reading.windows[0]?.values.map(({ value }) => value)).toEqual([1, 2, 3])
})
