import { type QueryKey, useQueryClient, useQuery } from '@tanstack/react-query'
import { CircleStop, Play } from 'lucide-react'
import { type MouseEvent, type RefObject, use, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Progress } from '#console/ui/base/Progress.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { charts, type QueryProgress } from '#contract/stack/charts.ts'
import { call } from '#console/api/call.ts'
import { allQueryIds, queryIdsOf } from '#console/api/runningReads.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { queryKey } from '#console/api/queryClient.ts'
import { combinedProgress, describeProgress, shareOf } from './progressText.ts'
import { ProgressPlace } from './progressPlace.ts'
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

/** The progress of a read, with Stop once it takes long. Nothing moves when they appear: their room is always there. */
export function QueryWait(props: QueryWaitProps) {
  const { reads, isFetching, isStopped } = props
  const place = use(ProgressPlace)
  const status = useRef<HTMLDivElement>(null)
  const isLate = useIsLate(JSON.stringify(reads), isFetching)
  const isInHeader = place !== undefined
  const drawn = (
    <div
      ref={status}
      role="group"
      aria-label="Query status"
      tabIndex={-1}
      className={css.wait}
      data-in-header={isInHeader}
    >
      {/* Said once: the numbers change every few seconds. */}
      <VisuallyHidden live="polite">{isLate ? 'Still loading. Stop ends it.' : ''}</VisuallyHidden>
      {isFetching && !isInHeader && <Progress aria-label="Loading" className={css.waitLine} />}
      {(isLate || isStopped) && <WaitNote {...props} {...{ status, isInHeader }} />}
    </div>
  )
  return isInHeader ? place && createPortal(drawn, place) : drawn
}

function useIsLate(name: string, isFetching: boolean): boolean {
  const [late, setLate] = useState<string | null>(null)
  useEffect(() => {
    if (!isFetching) return undefined
    const timer = setTimeout(() => setLate(name), showAfter)
    return () => {
      clearTimeout(timer)
      setLate(null)
    }
  }, [isFetching, name])
  return isFetching && late === name
}

interface WaitNoteProps extends QueryWaitProps {
  /** Gets the focus if the note had it when it disappeared. */
  status: RefObject<HTMLElement | null>
  isInHeader: boolean
}

/** How far reads are, with Stop; once they were stopped, the way to run them again. */
function WaitNote({ connectionId, reads, isFetching, onRun, hasOwnStop = true, status, isInHeader }: WaitNoteProps) {
  const queryClient = useQueryClient()
  const progress = useQueryProgress(connectionId, reads, isFetching)
  useLayoutEffect(
    () => () => {
      if (status.current?.contains(document.activeElement)) status.current.focus()
    },
    [status],
  )
  const stop = () => reads.forEach((queryKey) => void queryClient.cancelQueries({ queryKey, exact: true }))
  const { label, Icon, run } = isFetching
    ? { label: 'Stop', Icon: CircleStop, run: stop }
    : { label: 'Run again', Icon: Play, run: onRun }
  // The second click of a double click on Stop does not run it again.
  const onClick = ({ detail }: MouseEvent) => detail < 2 && run()
  return (
    <div className={css.waitNote}>
      {isFetching && <Progress aria-label="Rows read" share={shareOf(progress)} className={css.waitShare} />}
      <span role={isFetching ? undefined : 'status'} className={css.waitText}>
        <span>{isFetching ? describeProgress(progress) : 'Stopped'}</span>
      </span>
      {isFetching && !hasOwnStop ? null : isInHeader ? (
        <IconButton size="small" aria-label={label} {...hint(label)} onClick={onClick}>
          <Icon size={14} aria-hidden />
        </IconButton>
      ) : (
        <Button variant="text" size="small" startIcon={<Icon size={13} aria-hidden />} onClick={onClick}>
          {label}
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
