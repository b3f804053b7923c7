import { array, assert, constant, integer, nat, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { takesAway } from './diff.ts'

test.each<[string, unknown, unknown, boolean]>([
  ['other values in the same fields', { name: 'a', threshold: 1 }, { name: 'b', threshold: 2 }, false],
  ['a field', { name: 'a', note: 'b' }, { name: 'a' }, true],
  ['an item with an ID', { tiles: [{ id: 'a' }, { id: 'b' }] }, { tiles: [{ id: 'a' }] }, true],
  ['another value in an item with an ID', [{ id: 'a', w: 1 }], [{ id: 'a', w: 2 }], false],
  ['all tags, with as many others in their place', { tags: ['prod', 'pager'] }, { tags: ['x', 'y'] }, true],
  ['one of two same items', ['a', 'a'], ['a', 'b'], true],
  ['nothing, but the order', ['prod', 'pager'], ['pager', 'prod'], false],
  ['nothing, beside a new tag', ['prod'], ['new', 'prod'], false],
  ['a filter without an ID', [{ type: 'sql', condition: 'a' }], [{ type: 'sql', condition: 'b' }], true],
  ['nothing, with the keys of an item in another order', [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], false],
])('takes away: %s', (_, before, after, expected) => {
  expect(takesAway(before, after)).toBe(expected)
})

test('a list without IDs keeps its items wherever others are put between them', () => {
  const values = array(oneof(string(), integer(), constant(true)))
  assert(
    property(values, values, nat(), (before, added, at) => {
      const after = [...before.slice(at), ...added, ...before.slice(0, at)]
      expect(takesAway(before, after)).toBe(false)
    }),
  )
})
