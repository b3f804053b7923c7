/** Services, the database instances of the cloud control plane: spec 2.4 and section 4 of the managed reference. */
import { z } from 'zod'
import { openEnum, pathId, resource, wireNumber } from './kernel.ts'

export const serviceStates = [
  'starting',
  'stopping',
  'terminating',
  'softdeleting',
  'awaking',
  'partially_running',
  'provisioning',
  'running',
  'stopped',
  'terminated',
  'softdeleted',
  'degraded',
  'failed',
  'idle',
] as const

export const service = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  state: openEnum(serviceStates).optional(),
  dbVersion: z.string().optional(),
  provider: z.string().optional(),
  region: z.string().optional(),
  endpoints: z
    .array(
      z.looseObject({
        protocol: z.string(),
        host: z.string().optional(),
        port: wireNumber.optional(),
        username: z.string().nullish(),
      }),
    )
    .optional(),
  minTotalMemoryGb: wireNumber.optional(),
  maxTotalMemoryGb: wireNumber.optional(),
  minReplicaMemoryGb: wireNumber.optional(),
  maxReplicaMemoryGb: wireNumber.optional(),
  numReplicas: wireNumber.optional(),
  idleScaling: z.boolean().optional(),
  idleTimeoutMinutes: wireNumber.optional(),
  ipAccessList: z.array(z.looseObject({ source: z.string(), description: z.string().optional() })).optional(),
  createdAt: z.string().optional(),
})
export type Service = z.infer<typeof service>

const serviceId = z.object({ serviceId: pathId })

export const services = resource('services', {
  list: { method: 'GET', scope: 'organization', path: '/services', variants: ['managed'], result: z.array(service) },
  get: {
    method: 'GET',
    scope: 'organization',
    path: '/services/{serviceId}',
    variants: ['managed'],
    params: serviceId,
    result: service,
  },
})
