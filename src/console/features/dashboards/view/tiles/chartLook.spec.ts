import { expect, test } from 'vitest'
import type { TileLine } from '#console/charting/tiles/tileData.ts'
import { seriesOf } from './chartLook.ts'

const line = (part: Partial<TileLine>): TileLine => ({
  id: 'a',
  label: 'a',
  group: [],
  others: false,
  value: 0,
  unit: 'number',
  accumulates: true,
  points: [[0, 1]],
  ...part,
})

test('each series of a tile grows while its bucket lasts, or does not, by itself', () => {
  const lines = [
    line({ id: '0' }),
    line({ id: '1', value: 1, accumulates: false }),
    line({ id: '0/previous', previous: true }),
  ]
  expect(seriesOf(lines).map(({ id, like, accumulates }) => [id, like, accumulates])).toEqual([
    ['0', undefined, true],
    ['1', undefined, false],
    ['0/previous', '0', true],
  ])
})
