import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useMemo } from 'react'
import { QueryError } from '#console/shell/QueryError.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { formatShort, formatValue } from '#console/ui/chart/units.ts'
import type { Series } from '#console/ui/chart/series.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { Pipe } from '#contract/pipes.ts'
import type { PipeSample, PipeSamples } from '#contract/pipeSamples.ts'
import { LiveChart } from './LiveChart.tsx'
import { loadOf, verdictOf, type Against, type Load } from './metrics/load.ts'
import { usePipeSamples } from './metrics/usePipeSamples.ts'
import { gaugePoints, ratePoints } from './metrics/series.ts'
import { runs } from './words.ts'

/** Throughput, load against limits, and what the pipe is short of: whether scaling is needed, and what it did. */
export function LivePanels({ pipe }: { pipe: Pipe }) {
  const connection = useConnection()
  const sampled = usePipeSamples(connection, { pipe: pipe.id, minutes: keptMinutes })
  const samples = sampled.samples.get(pipe.id) ?? none
  const { throughput, usage, latency } = useMemo(() => linesOf(samples), [samples])
  const load = useMemo(() => loadOf(samples), [samples])
  const verdict = verdictOf(load, runs(pipe))
  const missing = absence((sampled.state?.at ?? null) !== null, samples)
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>
      {sampled.error && (
        <Panel>
          <QueryError error={sampled.error} onRetry={sampled.retry} />
        </Panel>
      )}
      {sampled.state && <Typography color="textSecondary">{paceWords(sampled.state)}</Typography>}
      <LiveChart title="Throughput" series={throughput} unit="records/s" nothing={missing} />
      <Panel title="Load against limits" flush aside="of one replica">
        <LoadTable load={load} />
      </Panel>
      {samples.length > 0 && (
        <Notice tone={verdict.tone} role="status">
          {verdict.sentence}
        </Notice>
      )}
      <LiveChart
        title="CPU and memory, of their limits"
        series={usage}
        unit="percent"
        nothing={
          missing ?? (load && !load.cpu && !load.memory ? 'The deployment reports no usage of this pipe.' : undefined)
        }
      />
      <LiveChart
        title="Latency, produced to written"
        series={latency}
        unit="ms"
        nothing={missing ?? (load && !load.latency ? 'The deployment reports no latency of this pipe.' : undefined)}
      />
    </Box>
  )
}

const none: readonly PipeSample[] = []

/** What the charts and the load look back on. */
const keptMinutes = 60

/** How often the metrics are read, and why not oftener. */
function paceWords({ pace, slowed }: PipeSamples): string {
  if (pace === null) return 'Sampling has stopped: asking again with the same key would tell nothing new.'
  const often = `Metrics are sampled every ${Math.round(pace / 1000)} s while somebody looks, for the whole organization at once`
  if (slowed === 'budget') return `${often}: the key’s limit allows no more.`
  if (slowed === 'failing') return `${often}; more slowly than usual until the deployment answers again.`
  return `${often}.`
}

/** Why there are no samples though the deployment answered. */
function absence(answered: boolean, samples: readonly PipeSample[]): string | undefined {
  if (!answered || samples.length > 0) return undefined
  return 'The deployment reports no metrics of this pipe: its service may be idle or stopped.'
}

function linesOf(samples: readonly PipeSample[]) {
  const line = (id: string, label: string, points: Series['points']): Series[] =>
    points.some(([, value]) => value !== null) ? [{ id, label, points }] : []
  const share = (used: number | null, limit: number | null) => (used === null || !limit ? null : (used / limit) * 100)
  return {
    throughput: [
      ...line(
        'read',
        'read from source',
        ratePoints(samples, ({ fetchedEvents }) => fetchedEvents),
      ),
      ...line(
        'written',
        'written',
        ratePoints(samples, ({ sentEvents }) => sentEvents),
      ),
    ],
    usage: [
      ...line(
        'cpu',
        'CPU',
        gaugePoints(samples, ({ cpu, cpuLimit }) => share(cpu, cpuLimit)),
      ),
      ...line(
        'memory',
        'memory',
        gaugePoints(samples, ({ memory, memoryLimit }) => share(memory, memoryLimit)),
      ),
    ],
    latency: line(
      'latency',
      'latency',
      gaugePoints(samples, (sample) => sample.latency),
    ),
  }
}

function LoadTable({ load }: { load: Load | null }) {
  if (!load) {
    return (
      <Typography color="textSecondary" sx={{ p: 3.5 }}>
        No samples yet.
      </Typography>
    )
  }
  const { latency } = load
  return (
    <Table size="small" aria-label="Load against limits" sx={{ '& td, & th': { px: 3.5 } }}>
      <TableHead>
        <TableRow>
          <TableCell>Measure</TableCell>
          <TableCell align="right">Used</TableCell>
          <TableCell align="right">Limit</TableCell>
          <TableCell align="right">p95, 30 min</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        <LoadRow title="CPU" against={load.cpu} words={(value) => `${Math.round(value)} m`} />
        <LoadRow title="Memory" against={load.memory} words={(value) => formatShort(value, 'bytes')} />
        {latency && (
          <TableRow>
            <TableCell component="th" scope="row">
              Latency, produced to written
            </TableCell>
            <TableCell align="right">{formatValue(latency.now, 'ms')}</TableCell>
            <TableCell />
            <TableCell align="right" sx={{ color: latency.trend === 'rising' ? 'warning.main' : undefined }}>
              {latency.trend}
            </TableCell>
          </TableRow>
        )}
      </TableBody>
    </Table>
  )
}

interface LoadRowProps {
  title: string
  against: Against | null
  words: (value: number) => string
}

function LoadRow({ title, against, words }: LoadRowProps) {
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {title}
      </TableCell>
      <TableCell align="right">{against ? words(against.used) : 'not reported'}</TableCell>
      <TableCell align="right">{against ? words(against.limit) : ''}</TableCell>
      <TableCell align="right" sx={{ color: against && against.p95 >= 0.9 ? 'warning.main' : undefined }}>
        {against ? `${Math.round(against.p95 * 100)} %` : ''}
      </TableCell>
    </TableRow>
  )
}
