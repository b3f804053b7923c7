import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { danglingUses } from '#console/references/usage.ts'
import { paths } from '#console/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { dashboards } from '#contract/dashboards.ts'
import type { Source } from '#contract/sources.ts'

/** Places that name a source which is not there: they show nothing, and the API tells nobody. */
export function Dangling({ sources }: { sources: readonly Source[] }) {
  const connection = useConnection()
  const { data } = useQuery(q(connection.id, dashboards.list, {}))
  const lost = danglingUses(data ?? [], sources)
  if (lost.length === 0) return null
  return (
    <Box sx={{ mb: 4 }}>
      <Notice tone="warning">
        <strong>
          {lost.length === 1 ? '1 place names a source' : `${lost.length} places name sources`} that{' '}
          {lost.length === 1 ? 'is' : 'are'} not there.
        </strong>{' '}
        They show nothing until they are given another one.
        <Box component="ul" sx={{ m: 0, pl: 4, maxHeight: 160, overflow: 'auto' }}>
          {lost.map((use) => (
            <li key={`${use.dashboard.id} ${use.place} ${use.tileId} ${use.sourceId}`}>
              <TextLink underline="always" to={paths.dashboard(connection.id, use.dashboard.id)}>
                {use.dashboard.name}
              </TextLink>
              , {use.place}: <code>{use.sourceId}</code>
            </li>
          ))}
        </Box>
      </Notice>
    </Box>
  )
}
