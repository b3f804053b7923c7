import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { formatShort, formatValue } from '#console/ui/units.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { limitThreshold, type Utilization } from './utilization.ts'
import type { SampleRange } from './SamplingNote.tsx'

interface UtilizationTableProps {
  utilization: Utilization | null
  /** The newest sample. */
  sample: PipeSample | undefined
  /** The time range of the last column. */
  range: SampleRange
}

/** Current usage, limits, and the 95th percentile over the time range. */
export function UtilizationTable({ utilization, sample, range }: UtilizationTableProps) {
  if (!utilization || !sample) {
    return (
      <Typography color="textSecondary" sx={{ p: 3.5 }}>
        No samples yet.
      </Typography>
    )
  }
  const { latency } = utilization
  const { sourceLag } = sample
  return (
    <Table
      size="small"
      aria-label="Resource utilization"
      sx={{ '& td, & th': { px: { xs: 2, sm: 3.5 } }, '& td': { whiteSpace: 'nowrap' } }}
    >
      <TableHead>
        <TableRow>
          <TableCell>Metric</TableCell>
          <TableCell align="right">Used</TableCell>
          <TableCell align="right">Limit</TableCell>
          <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
            Last {range.label}
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        <UsageRow
          title="CPU"
          used={utilization.cpu?.used}
          limit={utilization.cpu?.limit}
          p95={utilization.cpu?.p95}
          format={millicores}
        />
        <UsageRow
          title="Memory"
          used={utilization.memory?.used}
          limit={utilization.memory?.limit}
          p95={utilization.memory?.p95}
          format={bytes}
        />
        <TableRow>
          <TableCell component="th" scope="row">
            End-to-end latency
          </TableCell>
          <TableCell align="right">{latency ? formatValue(latency.now, 'ms') : 'not reported'}</TableCell>
          <TableCell />
          <TableCell align="right" sx={{ color: latency?.trend === 'rising' ? 'warning.main' : undefined }}>
            {latency?.trend}
          </TableCell>
        </TableRow>
        {sourceLag !== null && (
          <TableRow>
            <TableCell component="th" scope="row">
              Replication lag
            </TableCell>
            <TableCell align="right">{formatShort(sourceLag * 2 ** 20, 'bytes')}</TableCell>
            <TableCell />
            <TableCell />
          </TableRow>
        )}
      </TableBody>
    </Table>
  )
}

const millicores = (value: number) => `${Math.round(value)} m`
const bytes = (value: number) => formatShort(value, 'bytes')

interface UsageRowProps {
  title: string
  used: number | undefined
  limit: number | undefined
  p95: number | undefined
  format: (value: number) => string
}

function UsageRow({ title, used, limit, p95, format }: UsageRowProps) {
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {title}
      </TableCell>
      <TableCell align="right">{used === undefined ? 'not reported' : format(used)}</TableCell>
      <TableCell align="right">{limit === undefined ? 'not reported' : format(limit)}</TableCell>
      <TableCell align="right" sx={{ color: p95 !== undefined && p95 >= limitThreshold ? 'warning.main' : undefined }}>
        {p95 === undefined ? '' : `p95 ${Math.round(p95 * 100)} %`}
      </TableCell>
    </TableRow>
  )
}
