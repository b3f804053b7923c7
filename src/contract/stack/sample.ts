/** The sample telemetry of a small shop in the stack, and telemetry that is missing. Other deployments do not have these routes. */
import { z } from 'zod'
import { damageSummary } from '../wire/damage.ts'
import { resource } from '../wire/kernel.ts'

/** Times are milliseconds since 1970. */
const sampleIncident = z.looseObject({
  start: z.number(),
  end: z.number(),
  /** The alert that fired in it. */
  alertId: z.string(),
  /** The trace of a payment that failed in it, and when it did. */
  traceId: z.string(),
  failedAt: z.number(),
})
export type SampleIncident = z.infer<typeof sampleIncident>

export const sampleStatus = z.looseObject({
  state: z.enum(['absent', 'loading', 'ready', 'removing']),
  /** 0 to 1 while loading. */
  progress: z.number(),
  records: z.number(),
  /** The dashboard of the sample. */
  dashboardId: z.string().optional(),
  /** The latest incident of the sample. Absent while loading, or if its alert was deleted. */
  incident: sampleIncident.optional(),
  /** It is an environment of the sample with records, and no telemetry. */
  recordsOnly: z.literal(true).optional(),
  /** Telemetry that the stack had and that is missing: a sentence each. */
  losses: z.array(z.string()).optional(),
  /** Stored records of the stack that are damaged; absent if there are none. */
  damaged: damageSummary.optional(),
})
export type SampleStatus = z.infer<typeof sampleStatus>

const status = {
  scope: 'stack',
  path: '/sample',
  variants: ['openSource'],
  // They name records that a reader may not see.
  forAdministrators: ['damaged'],
  result: sampleStatus,
} as const

export const sample = resource('sample', {
  get: { method: 'GET', ...status },
  delete: { method: 'DELETE', ...status },
})
