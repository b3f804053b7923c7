/** The known problems of a connection, from what could be read. Nothing that is known is dropped for what is not. */
import { isPipeInTrouble, isServiceInTrouble, maxServicesRead } from '#console/usages/pipesInTrouble.ts'
import type { KeyExpiry } from '#console/records/apiKeys/keyExpiry.ts'
import { describeOverload } from '#console/charting/sampling/severity.ts'
import { usedShare } from '#console/charting/sampling/utilization.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import type { PipeSamples } from '#contract/console/sampling/pipeSamples.ts'
import type { Service } from '#contract/cloud/services/services.ts'

export interface OverloadedPipe {
  pipe: Pipe
  serviceId: string
  problem: string
}

/** The pipes, services and keys of a connection that need somebody. */
export interface Problems {
  /** Whether the deployment has pipes and services. */
  offered: boolean
  pipes?: readonly { pipe: Pipe; serviceId: string }[]
  services?: readonly Service[]
  /** Pipes that run at the limit of their size, with the figures. */
  overloaded?: readonly OverloadedPipe[]
  /** Pipes run whose load is not known. */
  isLoadUnknown?: boolean
  /** Pipes run whose load has yet to be read. */
  isLoadPending?: boolean
  /** A key that ends soon. */
  expiringKey?: KeyExpiry | undefined
  /** Whether a key ends soon: it could not be read, or has yet to be. */
  keyState?: 'unknown' | 'pending' | undefined
  /** How many there are, with problems or without. */
  total?: { pipes: number; services: number }
  /** Why it is not known. */
  reason?: string
  /** The usage of this month, CHC; undefined where it is not known or nothing is billed. */
  cost?: number | undefined
}

/** A query's last data, kept if it fails later, and its last error. */
export interface LastRead<T> {
  data: T | undefined
  error: Error | null
}

export interface ReadProblems extends Problems {
  running?: readonly { pipe: Pipe; serviceId: string }[]
}

/** @param pipeLists those of the services of the connection, which are read where they are few */
export function problemsOf(
  { data: services, error }: LastRead<readonly Service[]>,
  pipeLists: readonly { serviceId: string; read: LastRead<readonly Pipe[]> | undefined }[],
): ReadProblems {
  if (!services) return { offered: true, ...(error && { reason: unreadServices }) }
  const inTrouble = services.filter(isServiceInTrouble)
  if (services.length > maxServicesRead) {
    const reason = `Pipes of ${services.length} services are too many to read here.`
    return { offered: true, services: inTrouble, reason }
  }
  const pipes = pipeLists.flatMap(({ serviceId, read }) => (read?.data ?? []).map((pipe) => ({ pipe, serviceId })))
  const reason = error
    ? unreadServices
    : pipeLists.some(({ read }) => read?.error)
      ? 'Some pipes could not be read.'
      : undefined
  return {
    offered: true,
    services: inTrouble,
    pipes: pipes.filter(({ pipe }) => isPipeInTrouble(pipe)),
    running: pipes.filter(({ pipe }) => pipe.state === 'Running'),
    ...(pipeLists.every(({ read }) => read?.data !== undefined) && {
      total: { pipes: pipes.length, services: services.length },
    }),
    ...(reason !== undefined && { reason }),
  }
}

const unreadServices = 'The services could not be read.'

/** Which of the running pipes are at the limit of their size, from samples that the gateway takes while a page shows them. */
export function loadsOf(
  running: ReadProblems['running'] = [],
  { data, error }: LastRead<PipeSamples>,
): Pick<Problems, 'overloaded' | 'isLoadUnknown' | 'isLoadPending'> {
  if (running.length === 0) return {}
  const samplesOf = new Map(data?.pipes.map(({ id, samples }) => [id, samples]))
  const hasFailed = error !== null || (data !== undefined && data.error !== null)
  const isPending = !hasFailed && (data === undefined || data.at === null)
  // A deployment that reports no load at all would otherwise be read for ever.
  const isReported = ({ pipe }: { pipe: Pipe }) => samplesOf.get(pipe.id)?.some((sample) => usedShare(sample) !== null)
  return {
    overloaded: running.flatMap((entry) => {
      const problem = describeOverload(samplesOf.get(entry.pipe.id) ?? [])
      return problem === null ? [] : [{ ...entry, problem }]
    }),
    isLoadPending: isPending,
    isLoadUnknown: hasFailed || (!isPending && !running.every(isReported)),
  }
}
