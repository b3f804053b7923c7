import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { rotationsQuery } from '#console/api/gateway/apiKeys.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { apiKeys } from '#contract/cloud/organization/apiKeys.ts'
import { RotationForm } from './RotationForm.tsx'
import { RotationProgress } from './RotationProgress.tsx'

export const reads = pageReads(apiKeys.list)

export function prefetch({ connectionId = '' }: Record<string, string>): void {
  void queryClient.prefetchQuery(rotationsQuery(connectionId))
}

/** Replaces the key that connections of this console use, a step at a time. */
export default function RotateApiKeyPage() {
  const connection = useConnection()
  const { apiKeyId = '' } = useParams({ strict: false })
  const keys = useQuery(q(connection.id, apiKeys.list, {}))
  const rotations = useQuery(rotationsQuery(connection.id))
  const rotation = rotations.data?.find(({ oldKey }) => oldKey.id === apiKeyId)
  const key = keys.data?.find(({ id }) => id === apiKeyId)
  const failed = rotations.error ? rotations : !rotation && keys.error ? keys : undefined
  // An undone rotation can be started again.
  const isOver = rotation?.endedAt !== undefined && rotation.phase === 'undo'
  return (
    <Page
      title={`Rotate ${rotation?.oldKey.name ?? key?.name ?? 'API key'}`}
      lead="A new key with the same roles and addresses takes the place of this one in the connections of this console. Its secret goes into the stored connections, and never to this page."
      actions={<LinkButton to={paths.apiKeys(connection.id)}>All API keys</LinkButton>}
    >
      {failed?.error && <QueryError error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && (!rotations.data || (!rotation && !keys.data)) && <LoadingPanels heights={[180, 140]} />}
      {rotation && <RotationProgress rotation={rotation} />}
      {rotations.data && keys.data && (!rotation || isOver) && (
        <RotationForm apiKeyId={apiKeyId} keys={keys.data} again={isOver} />
      )}
    </Page>
  )
}
