import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { itemOf, RecordLoader } from '#console/shell/record/RecordLoader.tsx'
import { sources, type Source } from '#contract/sources.ts'

/** The source that the address names, once it is there; found in the list, which every deployment has. */
export function SourceLoader({ title, children }: { title: string; children: (source: Source) => ReactNode }) {
  const { id: connectionId } = useConnection()
  const all = useQuery(q(connectionId, sources.list, {}))
  const read = itemOf(all, useRouteParam('sourceId'), 'source')
  return (
    <RecordLoader title={title} read={read} list={{ to: paths.sources(connectionId), label: 'All sources' }}>
      {children}
    </RecordLoader>
  )
}
