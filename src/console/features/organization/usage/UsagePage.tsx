import { useQuery } from '@tanstack/react-query'
import { CircleDollarSign, Download } from 'lucide-react'
import { useMemo } from 'react'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Chart } from '#console/ui/chart/Chart.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import { usageCost, type UsageCost } from '#contract/cloud/organization/usageCost.ts'
import { formatAmount } from '#domain/charts/amounts.ts'
import { CostTable } from './CostTable.tsx'
import {
  costsByEntity,
  day,
  firstOpenDay,
  rangeProblem,
  seriesOf,
  usageLines,
  usagePresets,
  usageState,
  type UsageRange,
} from './usage.ts'
import * as css from '../organization.module.css'
import { downloadCsv } from '#console/ui/series/csv.ts'
import { TextInput } from '#console/ui/base/TextInput.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'

export function prefetch(): void {
  Chart.preload()
}

/** The cost of the organization, per day and per service. */
export default function UsagePage() {
  const connection = useConnection()
  const { reason } = useOffer(connection, 'usageCost', usageCost.get.variants)
  const now = useNow()
  const [state, change] = useUrlState(usageState)
  const presets = usagePresets(now)
  const [, month] = presets
  const range = { from: state.from ?? month?.range.from ?? '', to: state.to ?? month?.range.to ?? '' }
  const problem = rangeProblem(range)
  const { data, error, refetch, isFetching } = useQuery({
    ...q(connection.id, usageCost.get, { query: { from_date: range.from, to_date: range.to } }),
    enabled: reason === undefined && problem === undefined,
  })
  const shown = problem === undefined ? data : undefined
  return (
    <Page
      title="Usage and cost"
      lead="What the organization used, day by day. CHC is the unit of the cloud’s price list: 1 CHC is 1 USD of usage. Days are days of UTC."
      actions={
        <Button
          disabled={!shown || shown.costs.length === 0}
          startIcon={<Download size={14} aria-hidden />}
          onClick={() => shown && downloadCsv(`usage-${range.from}-${range.to}.csv`, usageLines(shown.costs))}
        >
          CSV
        </Button>
      }
    >
      {reason !== undefined ? (
        <NotOffered reason={reason} />
      ) : (
        <Column gap={16}>
          <RangeFields range={range} presets={presets} problem={problem} onChange={change} />
          {error && problem === undefined && <QueryError error={error} onRetry={() => void refetch()} />}
          {!shown && !error && problem === undefined && <LoadingPanels heights={[380, 180]} />}
          {shown && (
            <Costs
              usage={shown}
              range={range}
              now={now}
              stale={isFetching}
              view={state.view}
              onView={(view) => change({ view: view === 'chart' ? undefined : view })}
            />
          )}
        </Column>
      )}
    </Page>
  )
}

interface CostsProps {
  usage: UsageCost
  range: UsageRange
  now: number
  stale: boolean
  view: 'chart' | 'table'
  onView: (view: 'chart' | 'table') => void
}

const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const

function Costs({ usage, range, now, stale, view, onView }: CostsProps) {
  const { costs: records, grandTotalCHC, notBilled } = usage
  const costs = useMemo(() => costsByEntity(records), [records])
  const series = useMemo(() => seriesOf(costs), [costs])
  const span = useMemo(() => ({ from: Date.parse(range.from), to: Date.parse(range.to) + day }), [range.from, range.to])
  const open = firstOpenDay(records)
  return (
    <>
      {notBilled === true && (
        <Notice tone="info">
          No charges apply on this stack. The amounts are what services of these sizes would cost in a cloud, computed
          from the sizes that they have now.
        </Notice>
      )}
      {records.length === 0 ? (
        <EmptyState icon={CircleDollarSign} title="Nothing was used on these days">
          Choose other days, or come back once a service has run.
        </EmptyState>
      ) : (
        <>
          <Panel title="Per day" aside={<ToggleButtons label="View" value={view} options={views} onChange={onView} />}>
            <Column gap={12}>
              <div className={css.usageTotal}>
                <strong>{formatAmount(grandTotalCHC, 'CHC')}</strong>
                <span>in total{open === undefined ? '' : `; amounts from ${open} on may still change`}</span>
              </div>
              <Chart
                series={series}
                type="stackedBar"
                span={span}
                bucketMs={day}
                readAt={now}
                zone="utc"
                unit="CHC"
                missing="zero"
                height={300}
                label="Cost per day"
                view={view}
                dense
                stale={stale}
              />
            </Column>
          </Panel>
          <CostTable costs={costs} />
        </>
      )}
    </>
  )
}

interface RangeFieldsProps {
  range: UsageRange
  presets: ReturnType<typeof usagePresets>
  problem: string | undefined
  onChange: (range: Partial<UsageRange>) => void
}

/** The days to show: a preset, or a first and a last day. */
function RangeFields({ range, presets, problem, onChange }: RangeFieldsProps) {
  const preset = presets.find((candidate) => candidate.range.from === range.from && candidate.range.to === range.to)
  return (
    <>
      <div className={css.usageRange}>
        <SelectInput
          label="Days"
          value={preset?.value ?? ''}
          shown={preset?.label ?? 'Other days'}
          options={presets}
          minWidth={170}
          onChange={(value) => {
            const chosen = presets.find((candidate) => candidate.value === value)
            if (chosen) onChange(chosen.range)
          }}
        />
        <TextInput
          label="First day"
          type="date"
          value={range.from}
          max={range.to}
          onChange={(from) => from && onChange({ from, to: range.to })}
        />
        <TextInput
          label="Last day"
          type="date"
          value={range.to}
          min={range.from}
          onChange={(to) => to && onChange({ from: range.from, to })}
        />
      </div>
      {problem !== undefined && (
        <Notice tone="warning" role="status">
          {problem}
        </Notice>
      )}
    </>
  )
}
