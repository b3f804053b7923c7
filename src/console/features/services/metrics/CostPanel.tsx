import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Service } from '#contract/cloud/services/services.ts'
import { usageCost } from '#contract/cloud/organization/usageCost.ts'
import { formatAmount } from '#domain/charts/amounts.ts'
import { costDays, costRange, dailyCost, type DailyCost } from './dailyCost.ts'

const day = 24 * 60 * 60 * 1000

/** The cost of a service on each of the last days. */
export function CostPanel({ service }: { service: Service }) {
  const connection = useConnection()
  // The day on which the page was opened.
  const [range] = useState(() => costRange(Date.now()))
  const read = useQuery(q(connection.id, usageCost.get, { query: range }))
  const title = `Cost of the last ${costDays} days`
  if (read.data) {
    const own = { serviceId: service.id, warehouseId: service.dataWarehouseId ?? null }
    return <Cost title={title} cost={dailyCost(read.data.costs, own, range)} readAt={read.dataUpdatedAt} />
  }
  if (!read.error) return <LoadingPanels heights={[280]} />
  return (
    <Panel title={title}>
      <QueryError error={read.error} onRetry={() => void read.refetch()} />
    </Panel>
  )
}

function Cost({ title, cost, readAt }: { title: string; cost: DailyCost | null; readAt: number }) {
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const options = [
    { value: 'chart', label: 'Chart' },
    { value: 'table', label: 'Table' },
  ] as const
  return (
    <Panel
      title={title}
      aside={cost && <ToggleButtons label="Cost: view" value={view} options={options} onChange={setView} />}
    >
      <Column gap={12}>
        <Notice tone="info">
          No charges apply on a local stack. It reports what the present size of the service would cost in a cloud.
        </Notice>
        {cost ? (
          <>
            <Text>
              <strong>{formatAmount(cost.total, 'CHC')}</strong> for this service
              {cost.warehouse > 0 &&
                `, and ${formatAmount(cost.warehouse, 'CHC')} for the storage and backups of its warehouse`}
              .
            </Text>
            <Chart
              series={cost.series}
              type="stackedBar"
              span={cost.span}
              bucketMs={day}
              readAt={readAt}
              zone="utc"
              unit="CHC"
              height={180}
              label="Cost of each day"
              view={view}
              dense
            />
            <Text color="textSecondary">
              Days are in UTC; the last two may still change. A CHC is a credit of the vendor’s cloud.
            </Text>
          </>
        ) : (
          <Text color="textSecondary">The deployment has no cost of this service for these days.</Text>
        )}
      </Column>
    </Panel>
  )
}
