import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useMemo, useState, type ReactNode } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/QueryError.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { PipeSample } from '#contract/pipeSamples.ts'
import type { Pipe } from '#contract/pipes.ts'
import { LiveCharts } from './LiveCharts.tsx'
import { LoadTable } from './LoadTable.tsx'
import { loadOf, verdictOf } from './metrics/load.ts'
import type { Sampled } from './metrics/lines.ts'
import { usePipeSamples } from './metrics/usePipeSamples.ts'
import { SamplingTrouble } from './SamplingTrouble.tsx'
import { clock, paceWords, reaches, SamplingNote, type Reach } from './SamplingNote.tsx'
import { isDatabase, pipeName, runs } from './words.ts'

const none: readonly PipeSample[] = []

/** What is asked for: as much as the gateway keeps. */
const keptMinutes = 120

interface LivePanelsProps {
  /** One pipe, or all that share a size. */
  pipes: readonly Pipe[]
}

/** Load against limits, what is short, and the charts: whether scaling is needed, and what it did. */
export function LivePanels({ pipes }: LivePanelsProps) {
  const connection = useConnection()
  const [reach, setReach] = useState<Reach>(reaches[0])
  const watching = usePipeSamples(connection, {
    pipes: pipes.map(({ id }) => id),
    minutes: keptMinutes,
  })
  const { samples, state, error, retry } = watching
  const sampled = useMemo(
    () => pipes.map((pipe): Sampled => ({ id: pipe.id, name: pipeName(pipe), samples: samples.get(pipe.id) ?? none })),
    [pipes, samples],
  )
  // Of a shared size every pipe reports the same; the one that reports longest knows most.
  const [longest = none] = sampled.map((one) => one.samples).toSorted((a, b) => b.length - a.length)
  const load = useMemo(() => loadOf(longest), [longest])
  const until = state?.at ?? null
  const last = longest.at(-1)
  // Every scrape tells of all pipes: one that it lacks has stopped reporting.
  const silent = last !== undefined && until !== null && last.at < until
  const verdict = silent
    ? { tone: 'info' as const, sentence: `No metrics since ${clock.format(last.at)}: ${idleWords}.` }
    : verdictOf(load, pipes.some(runs))
  const missing = absence(until, sampled)
  const oldest = Math.min(...sampled.map((one) => one.samples[0]?.at ?? Infinity))
  if (error && !last) {
    return (
      <Stack>
        <Panel>
          <QueryError error={error} onRetry={retry} />
        </Panel>
        {state && <Typography color="textSecondary">{paceWords(state)}</Typography>}
      </Stack>
    )
  }
  return (
    <Stack>
      <SamplingTrouble sampled={watching} what="These figures are" />
      {state && (
        <SamplingNote
          state={state}
          since={Number.isFinite(oldest) ? oldest : undefined}
          reach={reach}
          onReach={setReach}
        />
      )}
      {last && (
        <Notice tone={verdict.tone} role="status">
          {verdict.sentence}
        </Notice>
      )}
      <Panel
        title="Load against limits"
        flush
        aside={pipes.some(isDatabase) ? 'of all database pipes together' : 'of one replica'}
      >
        <LoadTable load={load} sample={last} />
      </Panel>
      <LiveCharts pipes={sampled} reach={reach} until={until} missing={missing} />
    </Stack>
  )
}

function Stack({ children }: { children: ReactNode }) {
  return <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>{children}</Box>
}

const idleWords = 'the service may be idle or stopped'

/** Why there are no samples though the deployment answered. */
function absence(until: number | null, pipes: readonly Sampled[]): string | undefined {
  if (until === null || pipes.some(({ samples }) => samples.length > 0)) return undefined
  const whose = pipes.length > 1 ? 'of these pipes' : 'of this pipe'
  return `The deployment reports no metrics ${whose}: ${idleWords}.`
}
