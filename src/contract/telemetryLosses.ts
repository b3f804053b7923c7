/** Telemetry that the stack had and that is missing: a sentence each. Other deployments do not have this route. */
import { z } from 'zod'
import { resource } from './kernel.ts'

export const telemetryLosses = resource('telemetryLosses', {
  get: {
    method: 'GET',
    scope: 'stack',
    path: '/telemetry-losses',
    variants: ['openSource'],
    result: z.looseObject({ losses: z.array(z.string()) }),
  },
})
