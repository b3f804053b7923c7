import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { heatmapCells, heatmapRows, heatmapScale } from '#domain/series/heatmap.ts'
import { heatmapProblem } from './heatmap.ts'
import { distributionConfig, scaleKind } from './heatmapCounts.ts'
import type { TileConfig } from './tileConfig.ts'

const heatmap = (item: object): TileConfig => ({
  displayType: 'heatmap',
  sourceId: 's',
  select: [{ valueExpression: 'Duration', ...item }],
})

test('the scale reaches from the least to the greatest value, in steps that rise', () => {
  const finite = fc.double({ min: -1e12, max: 1e12, noNaN: true }).map((value) => value + 0)
  fc.assert(
    fc.property(finite, finite, fc.constantFrom('log' as const, 'linear' as const), (a, b, heatmapScaleType) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)]
      const { edges, kind } = heatmapScale(heatmapScaleType, { low, high })
      expect(Math.abs((edges.at(-1) ?? 0) - high)).toBeLessThanOrEqual(1e-9 * Math.max(Math.abs(low), Math.abs(high)))
      expect(edges.length - 1).toBeLessThanOrEqual(heatmapRows)
      if (kind === 'log') expect(edges[0]).toBeGreaterThan(0)
      else expect(edges[0]).toBe(low)
      for (const [at, edge] of edges.entries()) {
        if (low < high && at > 0) expect(edge).toBeGreaterThan(edges[at - 1] ?? edge)
      }
    }),
  )
})

test('a logarithmic scale of values down to zero begins nine decades below the greatest', () => {
  expect(heatmapScale('log', { low: 0, high: 1e9 }).edges[0]).toBe(1)
  expect(heatmapScale('log', { low: -5, high: 0 }).kind).toBe('linear')
  expect(heatmapScale('log', { low: 7, high: 7 }).edges).toEqual([7, 7])
})

test('edges have no digits that are those of the computation', () => {
  expect(heatmapScale('log', { low: 1, high: 4096 }).edges.filter((edge) => Math.log2(edge) % 1 === 0)).toHaveLength(13)
  expect(heatmapScale('linear', { low: 0, high: 2.4 }).edges[3]).toBe(0.3)
})

test('counts rows by the place of their value', () => {
  const scale = { kind: scaleKind(heatmap({ heatmapScaleType: 'linear' })), edges: [0, 4, 8, 12.5], hasLower: false }
  const value = 'toFloat64OrNull(toString(Duration))'
  const starts = 'array(0e0, 4e0, 8e0)'
  expect(distributionConfig(heatmap({}), scale, []).groupBy).toBe(
    `toString(if(isFinite(${value}), indexOf(${starts}, roundDown(${value}, ${starts})) - 1, NULL))`,
  )
  const byAttribute = heatmap({ valueExpression: 'SpanAttributes.app.latency' })
  expect(distributionConfig(byAttribute, scale, ['SpanAttributes']).groupBy).toContain(
    "arrayElement(SpanAttributes, 'app\\x2Elatency')",
  )
})

test('values at the bounds are in the outer rows, NULL and NaN in none', () => {
  const point = (place: string | null) => ({ ts_bucket: 0, group: [place], 'series_0.data': '2' })
  const others = { ts_bucket: 0, otherGroups: 3, 'series_0.data': '9' }
  const points = [...['-1', '0', '23', '24', 'nan', '', 'NULL', null].map(point), others]
  const cells = heatmapCells(points, heatmapRows)
  expect(cells[0]?.get(0)).toBe(4)
  expect(cells[23]?.get(0)).toBe(4)
  expect(cells.filter((row) => row.size > 0)).toHaveLength(2)
})

test('other counts than of rows are refused with the reason', () => {
  expect(heatmapProblem(heatmap({ countExpression: ' count( ) ' }))).toBeNull()
  expect(heatmapProblem(heatmap({ countExpression: 'sum(SampleRate)' }))).toContain('sum(SampleRate)')
})
