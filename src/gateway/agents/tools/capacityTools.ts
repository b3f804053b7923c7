/** Tools that read pipes and services with their load. */
import { z } from 'zod'
import { formatBound, pipeScalingBounds, replicaScalingBounds } from '#contract/cloud/bounds.ts'
import { api } from '#contract/index.ts'
import { fillPath, pathId } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { effectiveScaling, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { connection, idOf, isoTime, tool } from './tool.ts'

const inService = { connection, serviceId: idOf('service', 'list_services') }
const minutes = z
  .int()
  .min(1)
  .max(1440)
  .default(60)
  .describe('Minutes of load, 1 to 1440. The console keeps what it read while somebody looked.')
/** Samples in an answer: the newest. */
const maxSamples = 60

/** Samples as the gateway returns them. */
const sampled = z.looseObject({
  at: z.number().nullable(),
  pipes: z.array(z.looseObject({ samples: z.array(z.looseObject({ at: z.number() })) })).default([]),
  samples: z.array(z.looseObject({ at: z.number() })).default([]),
})

export const capacityTools = [
  tool({
    name: 'list_pipes',
    kind: 'read',
    title: 'List data pipes',
    description:
      'Lists the data pipes of a service: ID, name, state, kind of source and size. Only managed connections have pipes.',
    input: z.strictObject(inService),
    run: async (gateway, { connection: id, serviceId }) =>
      (await gateway.read(id, api.pipes.list, { params: { serviceId } })).map(pipeSummary),
  }),
  tool({
    name: 'read_pipe',
    kind: 'read',
    title: 'Read a data pipe and its load',
    description: `Reads one pipe with its size and its load. CPU in millicores and memory in bytes of one replica, latency in milliseconds; events, bytes and errors count up. Sizes: ${pipeScalingBounds.map((bound) => `${bound.field} ${formatBound(bound)}`).join('; ')}.`,
    input: z.strictObject({ ...inService, pipeId: idOf('pipe', 'list_pipes'), minutes }),
    isTelemetry: true,
    run: async (gateway, { connection: id, serviceId, pipeId, minutes }) => {
      const { record, revision } = await gateway.readRecord(id, api.pipes.get, {
        params: { serviceId, dataPipeId: pipeId },
      })
      const path = fillPath(pagePaths.pipeSamples, { connectionId: id })
      const { at, pipes } = await gateway.get(sampled, path, { pipes: pipeId, minutes })
      return { pipe: record, revision, load: newest(pipes[0]?.samples ?? [], at) }
    },
  }),
  tool({
    name: 'list_services',
    kind: 'read',
    title: 'List services',
    description: `Lists the services of a managed connection with state and size. Sizes: ${replicaScalingBounds.map((bound) => `${bound.field} ${formatBound(bound)}`).join('; ')}.`,
    input: z.strictObject({ connection }),
    run: async (gateway, input) => (await gateway.read(input.connection, api.services.list, {})).map(serviceSummary),
  }),
  tool({
    name: 'read_service_load',
    kind: 'read',
    title: 'Read the load of a service',
    description:
      'Reads the load of a service: memory in bytes, running queries, and counters of queries, failed queries and rows.',
    input: z.strictObject({
      connection,
      serviceId: pathId.describe('ID of the service, from list_services.'),
      minutes,
    }),
    isTelemetry: true,
    run: async (gateway, { connection: id, serviceId, minutes }) => {
      const path = fillPath(pagePaths.serviceSamples, { connectionId: id })
      const { at, samples } = await gateway.get(sampled, path, { service: serviceId, minutes })
      return newest(samples, at)
    },
  }),
]

function pipeSummary({ id, name, state, source, ...pipe }: Pipe) {
  const kinds = Object.keys(source ?? {}).filter((kind) => source?.[kind] != null)
  return { id, name, state, source: kinds, scaling: effectiveScaling(pipe) }
}

function serviceSummary(service: Service) {
  const { id, name, state, provider, region, tier, autoscalingMode, idleScaling, idleTimeoutMinutes } = service
  const { numReplicas, minReplicas, maxReplicas, minReplicaMemoryGb, maxReplicaMemoryGb } = service
  const size = { numReplicas, minReplicas, maxReplicas, minReplicaMemoryGb, maxReplicaMemoryGb }
  return { id, name, state, provider, region, tier, autoscalingMode, idleScaling, idleTimeoutMinutes, ...size }
}

function newest(samples: readonly { at: number }[], at: number | null) {
  const shown = samples.slice(-maxSamples)
  return {
    measuredAt: at === null ? null : isoTime(at),
    ...(samples.length > shown.length && { leftOut: `${samples.length - shown.length} older samples` }),
    ...(samples.length < 2 && {
      note: 'There are few samples yet: the console reads them while somebody asks. Ask again in a minute.',
    }),
    samples: shown.map(({ at: when, ...values }) => ({ at: isoTime(when), ...values })),
  }
}
