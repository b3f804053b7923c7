/** What pipes do now, against the limits that they have: for the sentence on top of a page and the panels beside it. */
import { useMemo, useState } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { usePendingChange } from '#console/shell/pendingChanges/pendingChanges.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import type { Pipe } from '#contract/pipes.ts'
import type { Sampled } from './chartLines.ts'
import { loadOf, type Load } from './utilization.ts'
import { usePipeSamples } from './usePipeSamples.ts'
import { verdictOf, type Verdict } from './sizeAssessment.ts'
import { clock, sampleRanges, type SampleRange } from './SamplingNote.tsx'
import { isDatabase, pipeName, runs } from '../model/pipeLabels.ts'

const none: readonly PipeSample[] = []

/** What is asked for: as much as the gateway keeps. */
const keptMinutes = 120

export interface LiveLoad {
  watching: ReturnType<typeof usePipeSamples>
  /** Each pipe with its samples. */
  sampled: readonly Sampled[]
  /** How far back charts, figures and verdict go. */
  range: SampleRange
  setSampleRange: (range: SampleRange) => void
  /** Of one replica, or of all that database pipes share. */
  load: Load | null
  last: PipeSample | undefined
  /** Undefined before the first sample. */
  verdict: Verdict | undefined
  /** Why there are no samples, and will be none for now, though nothing failed. */
  missing: string | undefined
  ofDatabases: boolean
}

/**
 * @param pipes one pipe, or all that share a size
 * @param thing what that size is called where changes are followed
 */
export function useLiveLoad(pipes: readonly Pipe[], resource: string): LiveLoad {
  const connection = useConnection()
  const [range, setSampleRange] = useState<SampleRange>(sampleRanges[0])
  const watching = usePipeSamples(connection, { pipes: pipes.map(({ id }) => id), minutes: keptMinutes })
  const { samples, state } = watching
  const sampled = useMemo(
    () => pipes.map((pipe): Sampled => ({ id: pipe.id, name: pipeName(pipe), samples: samples.get(pipe.id) ?? none })),
    [pipes, samples],
  )
  // Of a shared size every pipe reports the same; the one that reports longest knows most.
  const [longest = none] = sampled.map((one) => one.samples).toSorted((a, b) => b.length - a.length)
  const requestedAt = usePendingChange(resource)?.at
  const load = useMemo(() => loadOf(longest, { window: range.ms, requestedAt }), [longest, range, requestedAt])
  const last = longest.at(-1)
  const until = state?.at ?? null
  // Every scrape tells of all pipes: one that it lacks has stopped reporting.
  const silent = last !== undefined && until !== null && last.at < until
  const missing = last ? undefined : absence(watching, pipes)
  return {
    watching,
    sampled,
    range,
    setSampleRange,
    load,
    last,
    verdict:
      last &&
      (silent
        ? { tone: 'info', sentence: `No metrics since ${clock.format(last.at)}: ${idleText}.`, wants: null }
        : verdictOf(load, pipes.some(runs), range.ms)),
    missing,
    ofDatabases: pipes.some(isDatabase),
  }
}

function absence({ state, error }: LiveLoad['watching'], pipes: readonly Pipe[]): string | undefined {
  const code = error && asFailure(error).code
  if (code === 'notFound' || code === 'notOffered') return 'The deployment has no metrics of its pipes.'
  return state?.at == null ? undefined : `The deployment reports no metrics of ${whose(pipes)}: ${idleText}.`
}

const idleText = 'the service may be idle or stopped'

const whose = (pipes: readonly Pipe[]) => (pipes.length > 1 ? 'these pipes' : 'this pipe')
