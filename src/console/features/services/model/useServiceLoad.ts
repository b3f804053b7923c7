/** The memory that the replicas of a service used, as far as the gateway has measured it. */
import { formatUsed, usedRange } from '#console/shell/sampling/usedRange.ts'
import { useSamples } from '#console/shell/sampling/useSamples.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Load } from '#console/ui/form/fields/sliderParts.tsx'
import { pagePaths } from '#contract/pagePaths.ts'
import type { ServiceSamples } from '#contract/serviceSamples.ts'
import type { Service } from '#contract/services.ts'

/** Minutes of samples to request: as many as the gateway keeps. */
const keptMinutes = 120

/** GiB of one replica; undefined where it is not measured, or how many replicas there are is not known. */
export function useServiceLoad({ id, numReplicas, minReplicas, maxReplicas }: Service): Load | undefined {
  const connection = useConnection()
  const sampling = useSamples(connection, {
    path: pagePaths.serviceSamples,
    query: { service: id },
    minutes: keptMinutes,
    groupsOf: ({ samples }: ServiceSamples) => (samples.length > 0 ? [{ id, samples }] : []),
  })
  const replicas = numReplicas ?? (minReplicas === maxReplicas ? minReplicas : null)
  if (!replicas) return undefined
  const range = usedRange(sampling.samples.get(id) ?? [], ({ memory }) =>
    memory === null ? null : memory / 2 ** 30 / replicas,
  )
  return range ? { ...range, text: formatUsed(range, 'GiB') } : undefined
}
