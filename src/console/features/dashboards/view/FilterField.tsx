import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { charts } from '#contract/charts.ts'
import { q } from '#console/api/queries.ts'
import { planTile } from '#console/api/tileQuery.ts'
import { tileTotal } from '#console/api/tileData.ts'
import type { TileData } from './dataScope.ts'
import type { DashboardFilter } from './scope.ts'

interface FilterFieldProps {
  filter: DashboardFilter
  values: readonly string[]
  onValues: (values: string[]) => void
  data: TileData
}

const empty: string[] = []

/** Values of one filter: those found in the range, and whatever is typed. Values are read when the list is opened. */
export function FilterField({ filter, values, onValues, data }: FilterFieldProps) {
  const [opened, setOpened] = useState(false)
  const found = useFilterValues(filter, data, opened)
  return (
    <Autocomplete
      multiple
      freeSolo
      size="small"
      limitTags={2}
      disableCloseOnSelect
      options={found.values}
      value={[...values]}
      loading={found.loading}
      onOpen={() => setOpened(true)}
      onChange={(_, next) => onValues(next)}
      noOptionsText={found.problem ?? 'No values in this range'}
      sx={{ minWidth: 180, flex: '0 1 260px' }}
      renderInput={(input) => (
        <TextField
          {...input}
          label={filter.name}
          {...(found.problem !== undefined && { helperText: found.problem })}
          placeholder={values.length === 0 ? 'All' : ''}
        />
      )}
    />
  )
}

/** The values of the filter's expression within the range, most frequent first. */
function useFilterValues(filter: DashboardFilter, data: TileData, wanted: boolean) {
  const { connectionId, scope } = data
  const config = {
    displayType: 'bar',
    sourceId: filter.sourceId,
    select: [{ aggFn: 'count' }],
    groupBy: filter.expression,
    limit: 200,
  }
  const plan = scope ? planTile(config, { ...scope, conditions: [] }) : null
  const ask = plan?.kind === 'ask' && connectionId ? plan : null
  const body = ask?.asks[0]?.query
  const answer = useQuery({
    ...q(connectionId ?? '', charts.query, { body: body ?? { startTime: 0, endTime: 0, series: [] } }),
    enabled: wanted && body !== undefined,
    staleTime: 60_000,
  })
  const values =
    ask && answer.data && scope
      ? tileTotal(config, ask, [answer.data], scope.span).rows.map(({ group }) => group[0] ?? '')
      : empty
  const problem = answer.isError ? 'The values could not be read; type one.' : undefined
  return { values, loading: answer.isFetching, ...(problem && { problem }) }
}
