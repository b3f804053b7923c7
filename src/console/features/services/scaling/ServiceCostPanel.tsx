import { formatDay } from '#console/ui/time/formatTime.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RateInput } from '#console/records/scaling/RateInput.tsx'
import { setServiceRate, useServiceRate } from '#console/records/scaling/savedRates.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as base from '#console/ui/base/base.module.css'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { usageCost } from '#contract/cloud/organization/usageCost.ts'
import { formatAmount, formatDollars } from '#domain/charts/amounts.ts'
import { formatValue } from '#domain/charts/units.ts'
import { costRange, dailyCost } from '../metrics/dailyCost.ts'
import { formatSpan, serviceCost, type Span } from './serviceCost.ts'
import * as css from '../services.module.css'

interface ServiceCostPanelProps {
  /** The memory of all replicas: as it is, and with the form; null as long as a number is missing. */
  now?: Span | null
  after: Span | null
  idles: boolean
}

/** The cost of a service's size in an hour and in a month. No list has the price: until it is entered, there is no figure. */
export function ServiceCostPanel({ now, after, idles }: ServiceCostPanelProps) {
  const { id: connectionId } = useConnection()
  const rate = useServiceRate(connectionId)
  const [before, planned] = [now && serviceCost(now, rate), after && serviceCost(after, rate)]
  const money = (span: Span | undefined, digits: number) =>
    span ? formatSpan(span, (usd) => formatDollars(usd, digits)) : 'not known'
  const rows: [title: string, now: string, after: string][] = [
    ['Memory', memoryText(now), memoryText(after)],
    ['Per hour', money(before?.hour, 2), money(planned?.hour, 2)],
    ['Per month', money(before?.month, 0), money(planned?.month, 0)],
  ]
  return (
    <Panel title="Cost" aside={idles ? 'while it runs; nothing while idle' : 'while it runs'} flush>
      <table aria-label="Cost of the size" className={`${base.table} ${css.serviceCosts}`}>
        <thead>
          <tr>
            <th>{null}</th>
            {now !== undefined && <th className={base.tableNumber}>Now</th>}
            <th className={base.tableNumber}>{now === undefined ? 'This size' : 'After'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, current, planned]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {now !== undefined && <td className={base.tableNumber}>{current}</td>}
              <td className={base.tableNumber} data-changed={(now !== undefined && current !== planned) || undefined}>
                {planned}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rate === null && (
        <PanelText>
          The price depends on provider, region and tier, and the API does not report it. Enter what you pay to see the
          cost.
        </PanelText>
      )}
      <RateInput
        label="Price of 8 GiB of memory per hour (USD)"
        help="Without storage, backups and data transfer. Saved in this browser for this connection."
        rate={rate}
        onRate={(next) => setServiceRate(connectionId, next)}
      />
    </Panel>
  )
}

/** The amount that the deployment billed for the compute of a service on the last whole day; nothing where it does not say. */
export function LastDayCost({ serviceId, warehouseId }: { serviceId: string; warehouseId: string | null }) {
  const { id: connectionId } = useConnection()
  // The day on which the page was opened.
  const [range] = useState(() => costRange(Date.now()))
  const { data } = useQuery(q(connectionId, usageCost.get, { query: range }))
  const cost = data && dailyCost(data.costs, { serviceId, warehouseId }, range)
  const compute = cost?.series.find(({ id }) => id === 'computeCHC')
  const [day, amount] = compute?.points.at(-2) ?? []
  if (!data || day === undefined || amount == null) return null
  const date = formatDay(day, 'utc')
  return (
    <Text color="textSecondary" className={css.lastDay}>
      {data.notBilled
        ? `Compute on ${date}: ${formatAmount(amount, 'CHC')} in a cloud. No charges apply on a local stack.`
        : `Compute on ${date}: ${formatAmount(amount, 'CHC')} billed.`}
    </Text>
  )
}

const memoryText = (span: Span | null | undefined) =>
  span ? `${formatSpan(span, (value) => formatValue(value))} GiB` : 'not known'
