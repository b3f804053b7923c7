import { useCallback, useMemo, useState } from 'react'
import { Text } from '#console/ui/base/Text.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { defaultTableState, type TableState } from '#console/ui/table/tableState.ts'
import { formatAmount } from '#domain/charts/amounts.ts'
import { metricName, typeName, type EntityCost } from './usage.ts'
import * as css from '../organization.module.css'

/** The costs of the days by service, with what they are made of. */
export function CostTable({ costs }: { costs: readonly EntityCost[] }) {
  const columns = useMemo(() => columnsOf(costs), [costs])
  // The address of the page has the days.
  const [state, setState] = useState(defaultTableState)
  const change = useCallback((part: Partial<TableState>) => setState((before) => ({ ...before, ...part })), [])
  return (
    <section className={css.usageCosts} aria-labelledby="costs">
      <Text variant="h2" id="costs">
        Per service
      </Text>
      <DataTable
        label="Cost per service"
        rows={costs}
        columns={columns}
        error={null}
        empty={null}
        state={state}
        onState={change}
        nameOf={({ name }) => name}
      />
    </section>
  )
}

function columnsOf(costs: readonly EntityCost[]): Column<EntityCost>[] {
  const metrics = [...new Set(costs.flatMap((entityCost) => Object.keys(entityCost.metrics)))].toSorted()
  const cost = (value: number | undefined) => (value === undefined ? '' : formatAmount(value, 'CHC'))
  return [
    { id: 'name', title: 'Name', grow: 1, width: 180, value: ({ name }) => name },
    { id: 'type', title: 'For', width: 170, value: ({ type }) => typeName(type) },
    {
      id: 'total',
      title: 'Total',
      width: 130,
      type: 'number',
      value: ({ total }) => total,
      text: (entityCost) => cost(entityCost.total),
    },
    ...metrics.map((name): Column<EntityCost> => ({
      id: name,
      title: metricName(name),
      width: 130,
      type: 'number',
      value: (entityCost) => entityCost.metrics[name],
      text: (entityCost) => cost(entityCost.metrics[name]),
    })),
  ]
}
