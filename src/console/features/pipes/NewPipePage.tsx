import { useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers.ts'
import { q, readAhead } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { PendingPage } from '#console/shell/fallbacks/PendingPage.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { pipes } from '#contract/pipes.ts'
import { services } from '#contract/services.ts'
import { NewPipe } from './forms/NewPipe.tsx'

export function reads({ connectionId = '' }: Record<string, string>) {
  readAhead(connectionId, services.list, {})
}

const title = 'New data pipe'

export default function NewPipePage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'pipes', pipes.list.variants)
  const { data, error, refetch } = useQuery({ ...q(connection.id, services.list, {}), enabled: offered })
  if (reason !== undefined) {
    return (
      <Page title={title}>
        <NotOffered reason={reason} />
      </Page>
    )
  }
  if (data) return <NewPipe title={title} services={data} />
  if (!error) return <PendingPage />
  return (
    <Page title={title}>
      <QueryError
        error={error}
        onRetry={() => void refetch()}
        elsewhere={<LinkButton to={paths.pipes(connection.id)}>All data pipes</LinkButton>}
      />
    </Page>
  )
}
