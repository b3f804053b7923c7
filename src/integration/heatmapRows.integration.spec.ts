/** Rows of a heatmap: the engine counts a value in the row whose edges it is between, as a part of the heatmap is explained. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBetween, valuesOf } from '#console/features/dashboards/view/heatmap/heatmapPart.ts'
import { heatmapScale, placeInScale, type HeatmapScale } from '#domain/series/heatmap.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'

let engine: Engine
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

async function rowsOf(values: readonly (number | string)[], scale: HeatmapScale): Promise<(number | null)[]> {
  const texts = values.map((value) => `'${value}'`).join(', ')
  const rows = await engine.query<{ place: string | null }>(
    `SELECT toString(${placeInScale('toFloat64OrNull(text)', scale)}) AS place FROM (SELECT arrayJoin([${texts}]) AS text)`,
  )
  return rows.map(({ place }) => (place === null ? null : Number(place)))
}

/** The row whose values the given one is among. */
function rowWith(value: number, scale: HeatmapScale): number {
  const rows = scale.edges.slice(1).flatMap((_, row) => {
    const { from, to } = valuesOf(partBetween({ column: 0, row }, { column: 0, row }), scale)
    return value >= (from ?? -Infinity) && value < (to ?? Infinity) ? [row] : []
  })
  expect(rows).toHaveLength(1)
  return rows[0] ?? Number.NaN
}

test('values on and beside the edges are counted where they are explained', async () => {
  const finite = fc.oneof(fc.integer({ min: -5000, max: 5000 }), fc.double({ min: -1e12, max: 1e12, noNaN: true }))
  const property = fc.asyncProperty(
    finite,
    finite,
    fc.constantFrom('log' as const, 'linear' as const),
    fc.array(finite),
    async (a, b, kind, others) => {
      const scale = heatmapScale(kind, { low: Math.min(a, b), high: Math.max(a, b) })
      const beside = scale.edges.flatMap((edge) => [edge, edge * (1 + 2e-16), edge * (1 - 2e-16)])
      const values = [...beside, ...others].map((value) => value + 0)
      expect(await rowsOf(values, scale)).toEqual(values.map((value) => rowWith(value, scale)))
    },
  )
  await fc.assert(property, { numRuns: 100, examples: [[1, 4096, 'log', [32, 64, 2048]]] })
})

test('what is no finite number is in no row', async () => {
  const scale = heatmapScale('log', { low: 1, high: 4096 })
  expect(await rowsOf(['', 'nan', 'inf', '32'], scale)).toEqual([null, null, null, 10])
})
