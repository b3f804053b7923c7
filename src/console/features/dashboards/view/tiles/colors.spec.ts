import { expect, test } from 'vitest'
import { colorOf } from './colors.ts'
import { changeText } from './NumberTile.tsx'

test.each([
  ['chart-success', 'var(--ok)'],
  ['chart-warning', 'var(--warn)'],
  ['chart-error', 'var(--bad)'],
])('the colour %s of a tile is a colour of the theme', (token, css) => {
  expect(colorOf(1, [], token)).toEqual({ color: css })
  expect(colorOf(1, [{ operator: 'eq', value: 1, color: token, label: 'One' }], 'chart-blue')).toEqual({
    color: css,
    label: 'One',
  })
})

test('the rule that matches is said in words, in the unit of the tile', () => {
  const rule = (operator: string, value: unknown) => [{ operator, value, color: 'chart-error' }]
  expect(colorOf(38, rule('gt', 20), undefined).label).toBe('above 20')
  expect(colorOf(7, rule('between', [5, 10]), undefined).label).toBe('between 5 and 10')
  expect(colorOf(6e8, rule('gte', 5e8), undefined, 'ns').label).toBe('at least 500 ms')
  expect(colorOf(3, rule('lt', 1), undefined).label).toBeUndefined()
})

test('a change is a share, or the difference where a share says nothing', () => {
  expect(changeText(104.2, 100, 'number')).toBe('+4.2 %')
  expect(changeText(75, 100, 'number')).toBe('-25 %')
  expect(changeText(38, 3, 'number')).toBe('+35')
  expect(changeText(2e8, 0, 'ns')).toBe('+200 ms')
  expect(changeText(5, 5, 'number')).toBe('±0')
  expect([changeText(null, 5, 'number'), changeText(5, null, 'number'), changeText(5, undefined, 'number')]).toEqual([
    '',
    '',
    '',
  ])
})
