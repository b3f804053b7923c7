import { RateInput } from '#console/records/scaling/RateInput.tsx'
import { pipeTotals, type PipeSize } from '#domain/sizing/pipePrices.ts'
import * as base from '#console/ui/base/base.module.css'
import { formatValue } from '#domain/charts/units.ts'
import { perHour, perMonth } from './cost.ts'
import { setUnitRate, useUnitRate } from '#console/records/scaling/savedRates.ts'
import * as css from '../pipes.module.css'

type Totals = ReturnType<typeof pipeTotals>

const rows: readonly { title: string; value: (totals: Totals) => number; format: (value: number) => string }[] = [
  { title: 'vCPU', value: ({ vcpu }) => vcpu, format: (value) => formatValue(value) },
  { title: 'Memory', value: ({ memoryGb }) => memoryGb, format: (value) => `${formatValue(value)} GiB` },
  { title: 'Compute units', value: ({ computeUnits }) => computeUnits, format: (value) => formatValue(value) },
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
  const [before, planned] = [now && pipeTotals(now, rate), after && pipeTotals(after, rate)]
  return (
    <>
      <table aria-label="Totals" className={base.table}>
        <thead>
          <tr>
            <th>Total</th>
            <th className={base.tableNumber}>Now</th>
            <th className={base.tableNumber}>After</th>
            <th className={base.tableNumber}>Change</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, value, format }) => {
            const [from, to] = [before && value(before), planned && value(planned)]
            const delta = from === null || to === null ? null : to - from
            return (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td className={base.tableNumber}>{from === null ? 'not reported' : format(from)}</td>
                <td className={base.tableNumber}>{to === null ? 'unknown' : format(to)}</td>
                <td
                  className={`${base.tableNumber} ${css.totalsChange}`}
                  data-more={(delta !== null && delta > 1e-9) || undefined}
                >
                  {delta === null
                    ? ''
                    : Math.abs(delta) < 1e-9
                      ? 'none'
                      : `${delta > 0 ? '+' : '−'}${format(Math.abs(delta))}`}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <RateInput
        label="Price per compute unit per hour (USD)"
        help="One compute unit is 2 vCPU and 8 GiB. Saved in this browser for this connection."
        rate={rate}
        onRate={(next) => setUnitRate(connectionId, next)}
      />
    </>
  )
}
