/** The sample telemetry of a small shop that the local stack can hold. Other deployments do not offer it: asking tells. */
import { z } from 'zod'
import { resource } from './kernel.ts'

export const sampleStatus = z.looseObject({
  state: z.enum(['absent', 'loading', 'ready', 'removing']),
  /** 0 to 1 while loading. */
  progress: z.number(),
  records: z.number(),
  /** The dashboard that belongs to it. */
  dashboardId: z.string().optional(),
})
export type SampleStatus = z.infer<typeof sampleStatus>

export const sample = resource('sample', {
  get: { method: 'GET', scope: 'stack', path: '/sample', variants: ['openSource'], result: sampleStatus },
  delete: { method: 'DELETE', scope: 'stack', path: '/sample', variants: ['openSource'], result: sampleStatus },
})
