import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useEffect } from 'react'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import { useElementSize } from '#console/ui/useElementSize.ts'
import type { Firing } from './facts.ts'
import { formatMoment } from './moments.ts'
import { RangeChoice } from './RangeChoice.tsx'
import type { RangeName } from './ranges.ts'
import { StateStrip } from './StateStrip.tsx'
import type { Evaluations } from './useEvaluations.ts'

interface WatchedPanelProps {
  evaluations: Evaluations
  firings: readonly Firing[] | undefined
  range: RangeName
  onRange: (range: RangeName) => void
  span: { from: number; to: number }
}

/** Windows that are read for the strip. For earlier ones only the firing is shown. */
const maxWindows = 400

/** The states of the last windows. */
export function WatchedPanel({ evaluations, firings, range, onRange, span }: WatchedPanelProps) {
  const [ref, { width }] = useElementSize()
  const now = useNow()
  const { windows, hasMore, older } = evaluations
  const oldest = windows?.at(-1)?.start
  const isPartial = hasMore && oldest !== undefined && oldest > span.from
  const readsOlder = isPartial && (windows?.length ?? 0) < maxWindows && !older.pending && !older.error
  const { read } = older
  useEffect(() => {
    if (readsOlder) read()
    // `read` is new with every rendering, and reads the page before the oldest window.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [readsOlder, oldest])
  return (
    <Panel title="States" aside={<RangeChoice range={range} onChange={onRange} />}>
      <Box ref={ref} sx={{ minWidth: 0 }}>
        {width > 0 && windows && windows.length > 0 && (
          <StateStrip
            windows={windows}
            earlier={isPartial ? earlierFirings(firings, oldest, now) : []}
            {...{ span, now, width }}
            left={0}
          />
        )}
        {windows?.length === 0 && <Typography color="textSecondary">No window was evaluated yet.</Typography>}
        {isPartial && !readsOlder && !older.pending && (
          <Typography variant="caption" color="textSecondary">
            {firings
              ? `Before ${formatMoment(oldest, now)} only the times of firing are shown.`
              : `Windows before ${formatMoment(oldest, now)} were not read.`}
          </Typography>
        )}
      </Box>
    </Panel>
  )
}

/** The times of firing before the oldest window that was read. */
function earlierFirings(firings: readonly Firing[] | undefined, oldest: number, now: number) {
  return (firings ?? [])
    .map(({ from, to }) => ({ from, to: Math.min(to ?? now, oldest) }))
    .filter(({ from, to }) => from < to)
}
