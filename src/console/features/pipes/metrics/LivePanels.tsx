import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { LiveCharts } from './LiveCharts.tsx'
import { LoadTable } from './UtilizationTable.tsx'
import { formatPace, SamplingNote } from './SamplingNote.tsx'
import { SamplingTrouble } from './SamplingErrorNotice.tsx'
import type { LiveLoad } from './useLiveMetrics.ts'

/** Load against limits and the charts: whether scaling is needed, and what it did. */
export function LivePanels({ live }: { live: LiveLoad }) {
  const { watching, sampled, range, setSampleRange, load, last, missing, ofDatabases } = live
  const { state, error, retry } = watching
  const oldest = Math.min(...sampled.map((one) => one.samples[0]?.at ?? Infinity))
  if (error && !last && missing === undefined) {
    return (
      <Stack>
        <Panel>
          <QueryError error={error} onRetry={retry} />
        </Panel>
        {state && <Typography color="textSecondary">{formatPace(state)}</Typography>}
      </Stack>
    )
  }
  if (missing !== undefined) {
    return (
      <Panel title="Load against limits">
        <Typography color="textSecondary">{missing}</Typography>
      </Panel>
    )
  }
  return (
    <Stack>
      <SamplingTrouble sampled={watching} what="These figures are" />
      <Panel
        title="Load against limits"
        flush
        aside={ofDatabases ? 'of all database pipes together' : 'of one replica'}
      >
        <LoadTable load={load} sample={last} range={range} />
      </Panel>
      {state && (
        <SamplingNote
          state={state}
          since={Number.isFinite(oldest) ? oldest : undefined}
          range={range}
          onRange={setSampleRange}
        />
      )}
      <LiveCharts pipes={sampled} range={range} until={state?.at ?? null} />
    </Stack>
  )
}

function Stack({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>{children}</Box>
}
