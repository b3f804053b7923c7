import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#console/api/call.ts'
import { connectionsQuery } from '#console/api/connections.ts'
import { asFailure } from '#console/api/failure.ts'
import { pageReads, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { team, type TeamKeys } from '#contract/stack/team.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { counted } from '#domain/text/words.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { KeyPanel } from './KeyPanel.tsx'
import { UnsupportedByApi } from './UnsupportedByApi.tsx'
import { TelemetryPanel } from './TelemetryPanel.tsx'
import { useShownKey } from './useShownKey.ts'

const RotateIngestionDialog = lazyComponent(
  async () => (await import('./RotateIngestionDialog.tsx')).RotateIngestionDialog,
)

export const reads = pageReads(team.keys)

/** The personal key of the connection, the ingestion key, and how to send telemetry with it. */
export default function TeamKeysPage() {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(q(connection.id, team.keys, {}))
  return (
    <Page
      title="Team keys"
      lead="The keys of this deployment. They stay on the console’s server until somebody shows or copies them."
    >
      {error &&
        (asFailure(error).code === 'notOffered' ? (
          <UnsupportedByApi subject="API keys" />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        ))}
      {!data && !error && <LoadingPanels heights={[130, 130, 260]} />}
      {data && (
        <Column gap={16}>
          <PersonalKey state={data.access} />
          <IngestionKey keys={data} />
        </Column>
      )}
    </Page>
  )
}

function PersonalKey({ state }: { state: TeamKeys['access'] }) {
  const connection = useConnection()
  const shownKey = useShownKey(state, async () => (await call(connection.id, team.showAccessKey, {})).accessKey)
  const rotate = useApiMutation(connection.id, team.rotateAccessKey, {
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: connectionsQuery.queryKey })
      toast({ tone: 'ok', text: 'Personal key rotated. This connection uses the new one.' })
    },
    onError: toastFailure,
  })
  const ask = async () => {
    const sure = await confirm({
      title: 'Rotate personal key?',
      body: 'The old key is refused at once. This console stores the new key in its connections to this address. Everything else that uses the old key, such as scripts and Terraform, needs the new one.',
      action: 'Rotate key',
      danger: true,
      irreversible: true,
    })
    if (sure) rotate.mutate({ body: { keyId: state.id } })
  }
  return (
    <KeyPanel
      title="Personal API key"
      lead="Authenticates calls of the API as the member whose key this connection has. It is not accepted for telemetry."
      shownKey={shownKey}
      createdAt={state.createdAt}
      locked={lockReason(connection)}
      rotating={rotate.isPending}
      onRotate={() => void ask()}
    />
  )
}

function IngestionKey({ keys: { ingestion, collector } }: { keys: TeamKeys }) {
  const connection = useConnection()
  const [rotating, setRotating] = useState(false)
  const shownKey = useShownKey(ingestion, async () => (await call(connection.id, team.showIngestionKey, {})).apiKey)
  const locked = lockReason(connection)
  return (
    <>
      <KeyPanel
        title="Ingestion key"
        lead="Authenticates telemetry that is sent to the collector. It is not accepted by the API."
        shownKey={shownKey}
        createdAt={ingestion.createdAt}
        locked={locked}
        rotating={false}
        onRotate={() => setRotating(true)}
      >
        {ingestion.previous.length > 0 && <OverlapNotice previous={ingestion.previous} locked={locked} />}
      </KeyPanel>
      <TelemetryPanel ports={collector} shown={shownKey.text} readKey={shownKey.read} locked={locked} />
      {rotating && <RotateIngestionDialog keyId={ingestion.id} onClose={() => setRotating(false)} />}
    </>
  )
}

interface OverlapNoticeProps {
  previous: TeamKeys['ingestion']['previous']
  locked: string | undefined
}

/** Earlier ingestion keys that are still accepted, and the end of that. */
function OverlapNotice({ previous, locked }: OverlapNoticeProps) {
  const connection = useConnection()
  const end = useApiMutation(connection.id, team.endIngestionOverlap, { onError: toastFailure })
  const ask = async () => {
    const sure = await confirm({
      title: 'Refuse earlier keys now?',
      body: 'Senders that still use an earlier key are refused from now on, and their telemetry is lost.',
      action: 'Refuse earlier keys',
      danger: true,
      irreversible: true,
    })
    if (sure) end.mutate({})
  }
  return (
    <Notice
      tone="info"
      action={
        <DisabledReason reason={locked}>
          <Button disabled={locked !== undefined} loading={end.isPending} onClick={() => void ask()}>
            Refuse now
          </Button>
        </DisabledReason>
      }
    >
      {counted(previous.length, 'earlier key')} {previous.length === 1 ? 'is' : 'are'} still accepted:{' '}
      {previous.map(({ id, end: last, validUntil }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <code>…{last}</code> until <Timestamp iso={validUntil} />
        </span>
      ))}
      .
    </Notice>
  )
}
