/** Helpers for the built-in dashboards. */
import type { z } from 'zod'
import type { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { TileConfigInput } from '#contract/stack/dashboards/tileConfigs.ts'

type DashboardInput = z.input<typeof dashboardCreateStrict>
export type TileInput = DashboardInput['tiles'][number]

/** Left, top, width, height on the grid of 24 columns. */
export type Place = readonly [x: number, y: number, w: number, h: number]

export function tile(name: string, [x, y, w, h]: Place, config: TileConfigInput): TileInput {
  return { name, x, y, w, h, config }
}

/** IDs of the default sources, by their content. */
export interface SourceIds {
  logs: string
  traces: string
  metrics: string
}

/** @throws Error if one of them is missing */
export function sourceIds(sources: readonly Source[]): SourceIds {
  const idOf = (kind: string) => {
    const source = sources.find((source) => source.kind === kind)
    if (!source) throw new Error(`the dashboard needs a ${kind} source`)
    return source.id
  }
  return { logs: idOf('log'), traces: idOf('trace'), metrics: idOf('metric') }
}

/** Span durations are in nanoseconds. */
export const nanoseconds = { output: 'duration', factor: 1e-9 } as const
export const seconds = { output: 'duration' } as const
export const bytes = { output: 'byte', numericUnit: 'bytes_iec' } as const
export const percent = { output: 'percent', mantissa: 1 } as const
