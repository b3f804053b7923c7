/** Helpers that describe the tiles of ready dashboards. */

import type { z } from 'zod'
import type { dashboardInput } from '#contract/stack/dashboards/dashboards.ts'

export type TileInput = z.input<typeof dashboardInput>['tiles'][number]

/** Left, top, width, height on the grid of 24 columns. */
type Place = readonly [x: number, y: number, w: number, h: number]

export type SeriesInput = {
  aggFn: string
  valueExpression?: string
  level?: number
  metricName?: string
  metricType?: 'gauge' | 'sum'
  where?: string
  alias?: string
  numberFormat?: object
}

export function tile(name: string, [x, y, w, h]: Place, config: TileInput['config']): TileInput {
  return { name, x, y, w, h, config }
}

/** An aggregate of a metric. The condition is in the field:value language. */
export function metric(
  metricType: 'gauge' | 'sum',
  aggFn: string,
  metricName: string,
  more: Pick<SeriesInput, 'where' | 'alias'> = {},
): SeriesInput {
  return { aggFn, valueExpression: 'Value', metricName, metricType, ...more }
}

/** Formats of values. A share of 1 is 100 %. */
export const formats = {
  count: { output: 'number', thousandSeparated: true },
  bytes: { output: 'byte', numericUnit: 'bytes_iec', mantissa: 1 },
  percent: { output: 'percent', mantissa: 1 },
  /** Span durations are in nanoseconds. */
  nanoseconds: { output: 'duration', factor: 1e-9 },
} as const
