import { type QueryKey, useQueryClient, useQuery } from '@tanstack/react-query'
import { CircleStop, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import { Progress } from '#console/ui/base/Progress.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { charts, type QueryProgress } from '#contract/stack/charts.ts'
import { call } from '#console/api/call.ts'
import { allQueryIds, queryIdsOf } from '#console/api/runningReads.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { queryKey } from '#console/api/queryClient.ts'
import { combinedProgress, describeProgress, shareOf } from './progressText.ts'
import * as css from '../charting.module.css'

/** Milliseconds until somebody who waits is told how far it is. */
const showAfter = 2000

interface QueryWaitProps {
  connectionId: string
  /** The keys of the reads. */
  reads: readonly QueryKey[]
  isFetching: boolean
  /** Whether the reads were stopped: they neither run nor have what was asked for. */
  isStopped: boolean
  onRun: () => void
  /** False where another button of the page stops the reads. */
  hasOwnStop?: boolean
}

/** The progress of a long read, with Stop; nothing before that. */
export function QueryWait({ connectionId, reads, isFetching, isStopped, onRun, hasOwnStop = true }: QueryWaitProps) {
  const name = JSON.stringify(reads)
  const [late, setLate] = useState<string | null>(null)
  useEffect(() => {
    if (!isFetching) return undefined
    const timer = setTimeout(() => setLate(name), showAfter)
    return () => {
      clearTimeout(timer)
      setLate(null)
    }
  }, [isFetching, name])
  const isLate = isFetching && late === name
  if (!isLate && !isStopped) return null
  return <WaitNote {...{ connectionId, reads, isFetching, onRun, hasOwnStop }} />
}

/** How far reads are, with Stop; once they were stopped, the way to run them again. */
function WaitNote({ connectionId, reads, isFetching, onRun, hasOwnStop }: Omit<QueryWaitProps, 'isStopped'>) {
  const queryClient = useQueryClient()
  const progress = useQueryProgress(connectionId, reads, isFetching)
  if (!isFetching) {
    return (
      <div className={css.wait}>
        <span role="status">Stopped</span>
        <Button size="small" startIcon={<Play size={13} aria-hidden />} onClick={onRun}>
          Run again
        </Button>
      </div>
    )
  }
  const stop = () => reads.forEach((queryKey) => void queryClient.cancelQueries({ queryKey, exact: true }))
  return (
    <div className={css.wait}>
      {/* Said once: the numbers change every few seconds. */}
      <VisuallyHidden live="polite">Still loading. Stop ends it.</VisuallyHidden>
      <Progress aria-label="Rows read" share={shareOf(progress)} className={css.queryWaitBar} />
      <span>{describeProgress(progress)}</span>
      {hasOwnStop && (
        <Button size="small" startIcon={<CircleStop size={13} aria-hidden />} onClick={stop}>
          Stop
        </Button>
      )}
    </div>
  )
}

/** Milliseconds between two reads of the progress. */
const pollInterval = 3000
/** The most query IDs that one request for progress may have. */
const maxIds = 50

/**
 * The progress of reads, asked for while somebody looks at it. Null while it is not known, and on deployments that do not tell
 * it. All reads of a connection share one request.
 */
function useQueryProgress(connectionId: string, reads: readonly QueryKey[], enabled: boolean) {
  const isOffered = useFeatureOffer({ id: connectionId }, charts.progress)
  const { data } = useQuery({
    queryKey: queryKey(connectionId, charts.progress, 'running'),
    queryFn: async ({ signal }): Promise<QueryProgress[]> => {
      const ids = allQueryIds(connectionId).slice(0, maxIds).join(',')
      return ids === ''
        ? []
        : call(connectionId, charts.progress, { query: { ids } }, { signal, priority: 'background' })
    },
    enabled: enabled && isOffered,
    refetchInterval: ({ state }) => (state.error ? false : pollInterval),
    gcTime: 0,
  })
  if (!enabled || !isOffered || !data) return null
  const ownIds = new Set(reads.flatMap((read) => queryIdsOf(connectionId, read)))
  return combinedProgress(data.filter(({ id }) => ownIds.has(id)))
}
