import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sideBySide } from './SideBySide.tsx'

test('a changed line stands beside the line in its place', () => {
  expect(sideBySide('a\nb\nc\n', 'a\nB\nc\n')).toEqual([
    { state: 'same', left: { number: 1, text: 'a' }, right: { number: 1, text: 'a' } },
    { state: 'changed', left: { number: 2, text: 'b' }, right: { number: 2, text: 'B' } },
    { state: 'same', left: { number: 3, text: 'c' }, right: { number: 3, text: 'c' } },
  ])
})

test('lines far from a change are counted', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const changed = lines.map((line, index) => (index === 10 ? 'other' : line))
  const rows = sideBySide(lines.join('\n'), changed.join('\n'))
  expect(rows[0]).toEqual({ state: 'gap', count: 7 })
  expect(rows.at(-1)).toEqual({ state: 'gap', count: 6 })
})

test('no line of either side is lost', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
    .map((lines) => `${lines.join('\n')}\n`)
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = sideBySide(before, after)
      const hidden = rows.reduce((sum, row) => sum + (row.state === 'gap' ? row.count : 0), 0)
      const shown = (side: 'left' | 'right') =>
        rows.flatMap((row) => (row.state === 'gap' ? [] : (row[side] ?? []))).length
      expect(shown('left') + hidden).toBe(before.trimEnd().split('\n').length)
      expect(shown('right') + hidden).toBe(after.trimEnd().split('\n').length)
    }),
  )
})
