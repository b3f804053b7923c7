/** Data pipes: spec 2.5 and section 5 of the managed reference. */
import { z } from 'zod'
import { openEnum, pathId, resource, wireNumber } from './kernel.ts'

export const pipeStates = [
  'Unknown',
  'Provisioning',
  'Running',
  'Degraded',
  'Stopping',
  'Stopped',
  'Failed',
  'Completed',
  'InternalError',
  'Setup',
  'Snapshot',
  'Paused',
  'Pausing',
  'Modifying',
  'Resync',
] as const

export const pipe = z.looseObject({
  id: z.string(),
  serviceId: z.string().optional(),
  name: z.string().optional(),
  state: openEnum(pipeStates).optional(),
  scaling: z
    .looseObject({
      replicas: wireNumber.nullish(),
      concurrency: wireNumber.nullish(),
      replicaCpuMillicores: wireNumber.nullish(),
      replicaMemoryGb: wireNumber.nullish(),
    })
    .nullish(),
  source: z.looseObject({}).nullish(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type Pipe = z.infer<typeof pipe>

const pipeParams = z.object({ serviceId: pathId, dataPipeId: pathId })

export const pipes = resource('pipes', {
  list: {
    method: 'GET',
    scope: 'organization',
    path: '/services/{serviceId}/datapipes',
    variants: ['managed'],
    params: z.object({ serviceId: pathId }),
    result: z.array(pipe),
  },
  get: {
    method: 'GET',
    scope: 'organization',
    path: '/services/{serviceId}/datapipes/{dataPipeId}',
    variants: ['managed'],
    params: pipeParams,
    result: pipe,
  },
})
