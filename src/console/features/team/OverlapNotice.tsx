import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { counted } from '#domain/text/words.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { team, type TeamKeys } from '#contract/team.ts'

interface OverlapNoticeProps {
  previous: TeamKeys['ingestion']['previous']
  locked: string | undefined
}

/** Earlier ingestion keys that are still accepted, and the end of that. */
export function OverlapNotice({ previous, locked }: OverlapNoticeProps) {
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
