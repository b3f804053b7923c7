import { Lock } from 'lucide-react'
import { hint } from '#console/ui/hint/hint.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { TileData } from '../model/dataScope.ts'
import { FilterField } from './FilterField.tsx'
import { chosenValues, choiceOf, filtersOf, fixedConditions, unknownChoices } from './filters.ts'
import type { ViewState } from './viewState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './dashboardView.module.css'

interface FilterBarProps {
  dashboard: Dashboard
  state: ViewState
  onState: (patch: Record<string, string | undefined>) => void
  data: TileData
}

/** The dashboard's filters, and the conditions that it always has. Nothing where it has neither. */
export function FilterBar({ dashboard, state, onState, data }: FilterBarProps) {
  const filters = filtersOf(dashboard)
  const fixed = fixedConditions(dashboard)
  const unknown = unknownChoices(dashboard, state)
  return (
    <>
      {filters.length + fixed.length > 0 && (
        <div role="group" aria-label="Filters" className={css.filterBar}>
          {filters.map((filter) => (
            <FilterField
              key={filter.id}
              filter={filter}
              dashboard={dashboard}
              values={chosenValues(filter, state)}
              onValues={(values) => onState(choiceOf(filter, values))}
              data={data}
            />
          ))}
          {fixed.map((condition) => (
            <FixedCondition key={condition} condition={condition} />
          ))}
        </div>
      )}
      {unknown.length > 0 && (
        <Notice
          tone="warning"
          role="status"
          action={
            <Button onClick={() => onState(Object.fromEntries(unknown.map((key) => [key, undefined])))}>Remove</Button>
          }
        >
          The URL has values for {unknown.length === 1 ? 'a filter' : `${unknown.length} filters`} that this dashboard
          does not have. They are ignored.
        </Notice>
      )}
    </>
  )
}

/** A condition that is saved with the dashboard and belongs to no filter. */
function FixedCondition({ condition }: { condition: string }) {
  return (
    <div
      {...hint('Saved with the dashboard and applied to all tiles. Remove it in the settings.')}
      className={css.savedCondition}
    >
      <Lock size={12} aria-hidden />
      {condition}
    </div>
  )
}
