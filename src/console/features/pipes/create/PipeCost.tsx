import { Text } from '#console/ui/base/Text.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { pipeRates, pipeTotals } from '#domain/sizing/pipePrices.ts'
import type { FoundTable } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { formatDollars } from '#domain/charts/amounts.ts'
import type { PipeForm } from '../forms/pipeForm.ts'
import { perHour, perMonth, pipeSizeOf } from '../scaling/cost.ts'
import { useUnitRate } from '#console/records/scaling/savedRates.ts'
import { chosenBytes } from './foundTables.ts'
import { sizeOfForm } from './SizeFields.tsx'
import * as css from './newPipe.module.css'

const gigabyte = 1e9

interface PipeCostProps {
  connectionId: string
  form: PipeForm
  /** The tables that the test found; undefined if there was none. */
  tables: readonly FoundTable[] | undefined
}

/** The cost of a new pipe at list prices. Unknown parts have no figure. */
export function PipeCost({ connectionId, form, tables }: PipeCostProps) {
  const rate = useUnitRate(connectionId)
  const { rows, note } = costOf(form, tables, rate)
  return (
    <Panel title="Cost" aside="at list prices">
      <Column gap={12}>
        <dl className={css.pipeCosts}>
          {rows.map(([name, value]) => (
            <div key={name} className={css.cost}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Text color="textSecondary">{note}</Text>
      </Column>
    </Panel>
  )
}

interface CostRows {
  rows: [name: string, value: string][]
  note: string
}

function costOf(form: PipeForm, tables: readonly FoundTable[] | undefined, rate: number): CostRows {
  if (form.kind === 'objectStorage') {
    return {
      rows: [['Compute', 'not known']],
      note: 'The pipe takes its size from the minimum size of the service when it is created. The price list has no figure for it.',
    }
  }
  if (form.kind === 'postgres') {
    const bytes = tables ? chosenBytes(tables, form.source.postgres.tableMappings) : null
    const load = bytes === null ? null : (bytes / gigabyte) * pipeRates.initialLoadGigabyte
    return {
      rows: [
        [
          'Initial load',
          load === null ? 'not known' : `${load < 0.01 ? 'under $0.01' : `≈ ${formatDollars(load)}`} once`,
        ],
        ['Changes', `${formatDollars(pipeRates.changeGigabyte)} per GB`],
        ['Compute', `${formatDollars(rate / 2)} or ${formatDollars(rate)} per hour`],
      ],
      note: 'Compute is shared by all database pipes of the service and depends on the tier of the organization. How much changes is not known before the pipe runs.',
    }
  }
  const size = pipeSizeOf(sizeOfForm(form))
  const totals = size && pipeTotals(size, rate)
  return {
    rows: [
      ['Per hour', totals ? perHour(totals.usdPerHour) : 'not known'],
      ['Per month', totals ? perMonth(totals.usdPerMonth) : 'not known'],
      ['Received', `${formatDollars(pipeRates.streamingGigabyte)} per GB`],
    ],
    note: 'Compute is billed from the start of the pipe, with or without data. How much the source sends is not known before the pipe runs.',
  }
}
