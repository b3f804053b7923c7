import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import MuiTextField from '@mui/material/TextField'
import { useState } from 'react'
import { readNumber } from '#console/ui/form/readNumber.ts'
import { pipeTotals, type PipeSize } from '#contract/pipePrices.ts'
import { perHour, perMonth } from './cost.ts'
import { setUnitRate, useUnitRate } from './unitRate.ts'

type Totals = ReturnType<typeof pipeTotals>

const number = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 })

const rows: readonly { title: string; value: (totals: Totals) => number; format: (value: number) => string }[] = [
  { title: 'vCPU', value: ({ vcpu }) => vcpu, format: (value) => number.format(value) },
  { title: 'Memory', value: ({ memoryGb }) => memoryGb, format: (value) => `${number.format(value)} GiB` },
  { title: 'Compute units', value: ({ computeUnits }) => computeUnits, format: (value) => number.format(value) },
  { title: 'Cost per hour', value: ({ usdPerHour }) => usdPerHour, format: perHour },
  { title: 'Cost per month', value: ({ usdPerMonth }) => usdPerMonth, format: perMonth },
]

interface TotalsTableProps {
  connectionId: string
  /** Null if the values in effect are unknown. */
  now: PipeSize | null
  after: PipeSize | null
}

/** Totals over all replicas and their cost, before and after the change. */
export function TotalsTable({ connectionId, now, after }: TotalsTableProps) {
  const rate = useUnitRate(connectionId)
  const [before, then] = [now && pipeTotals(now, rate), after && pipeTotals(after, rate)]
  return (
    <>
      <Table size="small" aria-label="Totals" sx={{ '& td, & th': { px: 3.5 } }}>
        <TableHead>
          <TableRow>
            <TableCell>Total</TableCell>
            <TableCell align="right">Now</TableCell>
            <TableCell align="right">After</TableCell>
            <TableCell align="right">Change</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ title, value, format }) => {
            const [from, to] = [before && value(before), then && value(then)]
            const by = from === null || to === null ? null : to - from
            return (
              <TableRow key={title}>
                <TableCell component="th" scope="row">
                  {title}
                </TableCell>
                <TableCell align="right">{from === null ? 'not reported' : format(from)}</TableCell>
                <TableCell align="right">{to === null ? 'unknown' : format(to)}</TableCell>
                <TableCell align="right" sx={{ color: by !== null && by > 1e-9 ? 'warning.main' : 'text.secondary' }}>
                  {by === null ? '' : Math.abs(by) < 1e-9 ? 'none' : `${by > 0 ? '+' : '−'}${format(Math.abs(by))}`}
                </TableCell>
              </TableRow>
            )
          })}
        </TableBody>
      </Table>
      <RateInput connectionId={connectionId} rate={rate} />
    </>
  )
}

/** The price of a compute unit, saved in this browser per connection. */
function RateInput({ connectionId, rate }: { connectionId: string; rate: number }) {
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed === null ? rate : readNumber(typed)
  const wrong = value === null || !Number.isFinite(value) || value < 0
  return (
    <Box sx={{ px: 3.5, py: 2.5, borderTop: 1, borderColor: 'divider' }}>
      <MuiTextField
        sx={{ maxWidth: 400 }}
        label="Price per compute unit and hour (USD)"
        value={typed ?? String(rate)}
        error={wrong}
        helperText={
          wrong
            ? 'Must be a number of 0 or more.'
            : 'One compute unit is 2 vCPU and 8 GiB. Saved in this browser for this connection.'
        }
        onChange={(event) => {
          setTyped(event.target.value)
          const next = readNumber(event.target.value)
          if (next !== null && Number.isFinite(next) && next >= 0) setUnitRate(connectionId, next)
        }}
        onBlur={() => !wrong && setTyped(null)}
        slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
      />
    </Box>
  )
}
