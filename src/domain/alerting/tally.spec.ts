import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { groupOf, Tally, valuesOfKey } from './tally.ts'

test('NULL, no text and a text like NULL are three groups', () => {
  const values = [null, '', 'NULL', ' IS NULL']
  const groups = values.map((value) => groupOf(['service'], [value]))
  expect(groups.map(({ key }) => key)).toEqual(['service IS NULL', 'service:', 'service:NULL', 'service: IS NULL'])
  expect(groups.map(({ group }) => group?.['service'])).toEqual(values)
})

test('groups of several columns never share a key, whatever their values are', () => {
  const names = ['a', 'b', 'a, b']
  const piece = fc.constantFrom(', b:', ', ', ',', ' ', '"', '\\', ':', ' IS NULL', 'a', 'b', ', a, b:')
  const value = fc.oneof(
    fc.constant(null),
    fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(fc.tuple(value, value, value), (values) => {
      expect(valuesOfKey(groupOf(names, values).key, names)).toEqual(values)
      expect(valuesOfKey(groupOf(['a'], values).key, ['a'])).toEqual(values.slice(0, 1))
    }),
    { numRuns: 2000 },
  )
  // They were one group.
  expect(groupOf(['a', 'b'], ['x, b:y', 'z']).key).toBe('a:"x, b:y", b:z')
  expect(groupOf(['a', 'b'], ['x', 'y, b:z']).key).toBe('a:x, b:"y, b:z"')
  expect(groupOf(['a', 'b'], ['cart', 'eu-1']).key).toBe('a:cart, b:eu-1')
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
