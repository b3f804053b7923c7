import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { charts } from '#contract/stack/charts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { queryCharts } from '#console/charting/queryCharts.ts'
import { portableQuery } from '#console/charting/chartRequest.ts'
import { queryKey } from '#console/api/queryClient.ts'
import { planTile } from '#console/charting/tiles/tileQuery.ts'
import { tooManyGroups } from '#console/api/groupErrors.ts'
import { isPlainLabel } from '#console/charting/series/groupValues.ts'
import { tileTotal } from '#console/charting/tiles/tileData.ts'
import type { TileData } from '../model/dataScope.ts'
import { type DashboardFilter, valuesConfig } from './filters.ts'
import { NamesInput } from '#console/ui/suggest/NamesInput.tsx'
import * as css from './dashboardView.module.css'

interface FilterFieldProps {
  filter: DashboardFilter
  dashboard: Dashboard
  values: readonly string[]
  onValues: (values: string[]) => void
  data: TileData
}

const empty: string[] = []

/** Values of one filter: its own or those found in the range, and whatever is typed. They are read when the list is opened. */
export function FilterField({ filter, dashboard, values, onValues, data }: FilterFieldProps) {
  const [opened, setOpened] = useState(false)
  const { options } = filter
  const read = useFilterValues(filter, dashboard, data, opened && !options)
  const found = options ? { values: options, loading: false, problem: undefined } : read
  const isMissing = filter.required !== null && values.length === 0
  const help = found.problem ?? (isMissing ? `${waitingTiles(filter)} until a value is chosen` : describeFilter(filter))
  return (
    <NamesInput
      several
      label={filter.name}
      names={values}
      suggestions={found.values}
      loading={found.loading}
      maxShown={2}
      placeholder={filter.required === null ? 'All' : 'Choose'}
      help={help}
      onOpen={() => setOpened(true)}
      // The value that was chosen last takes the place of the one before.
      onChange={(chosen) => onValues(filter.single ? chosen.slice(-1) : chosen)}
      className={css.filterField}
    />
  )
}

const waitingTiles = ({ required }: DashboardFilter) => (required === 'allTiles' ? 'All tiles wait' : 'Its tiles wait')

/** Where a choice counts, when it is not simply all tiles. */
function describeFilter({ broadcasts, variable, sourceIds }: DashboardFilter): string | undefined {
  if (!broadcasts && variable !== null) return `Tiles that use $${variable}`
  return sourceIds.length > 0
    ? `Tiles of ${sourceIds.length === 1 ? 'one source' : `${sourceIds.length} sources`}`
    : undefined
}

/** The values of the filter's expression within the range, most frequent first; filters that it names narrow them. */
function useFilterValues(filter: DashboardFilter, dashboard: Dashboard, data: TileData, enabled: boolean) {
  const { connectionId, scope, sources } = data
  const config = valuesConfig(filter, dashboard)
  // Required filters that narrow each other would wait for each other.
  const variables = scope?.variables?.map(({ name, expression, values }) => ({ name, expression, values }))
  const plan = scope ? planTile(config, { ...scope, variables, conditions: [], required: [] }) : null
  const request = plan?.kind === 'query' && connectionId ? plan : null
  const body = request?.requests[0]?.query
  const answer = useQuery({
    queryKey: queryKey(connectionId ?? '', charts.query, body && portableQuery(body, sources)),
    queryFn: body && connectionId ? ({ signal }) => queryCharts(connectionId, body, sources, { signal }) : skipToken,
    enabled,
    staleTime: 60_000,
  })
  const values =
    request && answer.data && scope
      ? tileTotal(config, request, [answer.data], scope.span).rows.flatMap(({ group: [label = ''] }) =>
          isPlainLabel(label) ? label : [],
        )
      : empty
  return { values, loading: answer.isFetching, problem: enabled ? problemOf(answer, plan, values, data) : undefined }
}

/** Why there are no values to choose from; any value can still be typed. */
function problemOf(
  answer: { isError: boolean; isSuccess: boolean; error: unknown },
  plan: ReturnType<typeof planTile> | null,
  values: readonly string[],
  { reason }: TileData,
): string | undefined {
  if (reason !== null) return 'No values to choose from. Type a value.'
  if (plan?.kind === 'none') return `${plan.reason} Type a value.`
  if (tooManyGroups(answer.error)) return 'Too many values in this range. Type a value.'
  if (answer.isError) return 'Could not load values. Type a value.'
  return answer.isSuccess && values.length === 0 ? 'No values in this range. Type a value.' : undefined
}
