import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useRateLimit } from '#console/api/rateLimit.ts'
import type { Source } from '#contract/stack/sources.ts'
import { inSentence } from '#domain/text/words.ts'
import { tailInterval, maxTailRows, tailStart, withTail } from './liveTail.ts'
import type { SearchState } from './query/state.ts'
import type { RowSelection } from './useRowSelection.ts'
import { readRows } from '#console/charting/rows/readRows.ts'
import type { useHistogram } from './query/useCounts.ts'
import { rowsQuery, rowsQueryOf, type SearchRows } from './query/useSearchRows.ts'

interface LiveTailOptions {
  connectionId: string
  state: SearchState
  source: Source
  /** Rows are loaded and nobody reads older ones. */
  running: boolean
  /** Newer rows joined the list. */
  onRows: () => void
}

export interface LiveTail {
  /** Milliseconds until the next read. */
  interval: number
  /** The last read failed. */
  failing: boolean
}

interface SearchTailOptions extends Pick<LiveTailOptions, 'connectionId' | 'state' | 'source'> {
  rows: SearchRows
  histogram: ReturnType<typeof useHistogram>
  selection: RowSelection
}

/** While the live tail runs, rows are counted again after this long. */
const countEveryMs = 15_000

/** The live tail of a search, which is on if its URL says so. It waits while somebody reads a row or older rows. */
export function useSearchTail({ connectionId, state, source, rows, histogram, selection }: SearchTailOptions) {
  const [away, setAway] = useState(false)
  const on = state.live === '1'
  const refused = refusalOf(state)
  const waiting = refused ? inSentence(refused) : obstacleOf(selection, away)
  const tail = useLiveTail({
    connectionId,
    state,
    source,
    running: on && waiting === undefined && rows.isSuccess && !rows.isPlaceholderData,
    onRows: () => {
      // The histogram costs a request too.
      if (histogram.isFetching || Date.now() - histogram.dataUpdatedAt < countEveryMs) return
      void histogram.refetch({ cancelRefetch: false })
    },
  })
  return {
    on,
    tail,
    waiting,
    /** Why it cannot be switched on. */
    refused,
    /** Says whether the list is scrolled away from the newest row. */
    setAway,
  }
}

function refusalOf({ to, order }: SearchState): string | undefined {
  if (to !== 'now') return 'Choose a time range that ends now'
  return order === '' ? undefined : 'Order the rows by newest first'
}

function obstacleOf({ open }: RowSelection, away: boolean): string | undefined {
  if (open >= 0) return 'close the row to continue'
  return away ? 'scroll to the top to continue' : undefined
}

/** Reads newer rows again and again while the page is visible, as often as the rate limit allows. */
function useLiveTail({ connectionId, state, source, running, onRows }: LiveTailOptions): LiveTail {
  const client = useQueryClient()
  const [tail, setTail] = useState<LiveTail>({ interval: 0, failing: false })
  const latest = { rateLimit: useRateLimit(connectionId), onRows }
  const now = useRef(latest)
  useEffect(() => {
    now.current = latest
  })
  useEffect(() => {
    if (!running) return undefined
    const query = rowsQuery(connectionId, state, source)
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let reading = false
    let took = 0
    let failures = 0

    const read = async () => {
      const loaded = client.getQueryData(query.queryKey)
      if (!loaded || client.getQueryState(query.queryKey)?.fetchStatus === 'fetching') return
      const times = { start: tailStart(loaded), end: Date.now() }
      const span = { from: times.start, to: times.end }
      const page = { ...rowsQueryOf(state, source), span, maxResults: maxTailRows }
      const fresh = await readRows(connectionId, source, page, {
        signal: controller.signal,
        priority: 'background',
      })
      took = fresh.took
      client.setQueryData(query.queryKey, (data) => data && withTail(data, fresh.rows, times))
      now.current.onRows()
    }
    const tick = async () => {
      // It goes on when the page is visible again.
      if (document.hidden || reading) return
      reading = true
      try {
        await read()
        failures = 0
      } catch {
        // The next read says whether it lasts; the interval grows.
        failures++
      }
      reading = false
      if (!controller.signal.aborted) wait()
    }
    const wait = () => {
      const interval = tailInterval({ rateLimit: now.current.rateLimit, took, failures, now: Date.now() })
      setTail({ interval, failing: failures > 0 })
      timer = setTimeout(() => void tick(), interval)
    }
    const onVisible = () => {
      if (document.hidden) return
      clearTimeout(timer)
      void tick()
    }
    wait()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      controller.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [running, state, source, connectionId, client])
  return tail
}
