/** The tools of agents: one entry each says everything about a tool. */
import { z } from 'zod'
import type { ProposingTool } from '#contract/console/agents.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { AgentGateway } from '../exchange/agentGateway.ts'

interface Described<S extends z.ZodType> {
  title: string
  /** In plain English, with units and bounds. */
  description: string
  /** Has a `connection`, unless the tool is not about one. */
  input: S
  run(gateway: AgentGateway, input: z.output<S>): Promise<unknown>
}

/** It reads. `isTelemetry`: the answer has texts of observed systems, and is marked as untrusted. */
type Reading<S extends z.ZodType> = Described<S> & { name: string; kind: 'read'; isTelemetry?: true }

/** It asks for a change. `replaces`: the change may take something away. `isIdempotent`: the second of two equal changes has no effect. */
type Proposing<S extends z.ZodType> = Described<S> & {
  name: ProposingTool
  kind: 'propose'
  replaces: boolean
  isIdempotent: boolean
}

export type Tool<S extends z.ZodType = z.ZodType> = Reading<S> | Proposing<S>

/** An entry of the table, whose `run` gets what its schema returns. */
export function tool<S extends z.ZodType>(entry: Tool<S>): Tool {
  return entry
}

export const connection = pathId.describe('ID of a connection, from list_connections.')
export const idOf = (what: string, from: string) => pathId.describe(`ID of the ${what}, from ${from}.`)

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const relative = /^now(?:-(\d{1,5})([smhd]))?$/

/** A time in the input of a tool, as epoch milliseconds. */
const time = z
  .string()
  .max(40)
  .transform((text, context) => {
    const [matched, count = '0', unit = 's'] = relative.exec(text) ?? []
    const at = matched === undefined ? Date.parse(text) : currentTime() - Number(count) * (units[unit] ?? 0)
    if (Number.isFinite(at) && at >= 1e12) return at
    context.addIssue({
      code: 'custom',
      message: 'must be a time in ISO 8601, such as 2026-11-29T14:00:00Z, or relative, such as now-1h or now',
    })
    return z.NEVER
  })

/** The range of time of a tool. */
export const timeRange = (from: string) => ({
  from: time.prefault(from).describe(`Start: ISO 8601, or relative such as now-15m or now-7d. Default: ${from}.`),
  to: time.prefault('now').describe('End: ISO 8601, or relative. Default: now.'),
})

export const isoTime = (at: number): string => new Date(at).toISOString()
