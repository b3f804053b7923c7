import { expect, test } from 'vitest'
import { colorOf } from './colors.ts'

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
