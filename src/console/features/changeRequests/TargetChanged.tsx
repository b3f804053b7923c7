import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { counted } from '#domain/text/words.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { ChangeRequestDetail, RequestedChange } from '#contract/changeRequests.ts'
import type { Connection } from '#contract/connections.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'

interface TargetChangedProps {
  request: ChangeRequestDetail
  connection: Connection | undefined
}

/** That a record changed since the request was opened: who changed what, and where to see it. */
export function TargetChanged({ request, connection }: TargetChangedProps) {
  const changed = request.plan?.changes.filter(({ changedSince }) => changedSince) ?? []
  const [first] = changed
  if (!first) return null
  const more = changed.length > 1 ? ` ${counted(changed.length - 1, 'more record')} changed.` : ''
  const action = connection && first.recordId !== null && (
    <LinkButton to={paths.history(connection.id)} search={{ kind: first.kind, record: first.recordId }}>
      Show the change
    </LinkButton>
  )
  return (
    <Notice tone="warning" role="status" action={action}>
      <strong>Target changed since.</strong> {sentenceOf(first)}
      {more} The plan below is worked out against what is there now; the approval holds for this plan only.
    </Notice>
  )
}

function sentenceOf({ name, changedBy, problem }: RequestedChange): string {
  if (problem !== undefined) return `${name}: ${problem}`
  if (!changedBy) return `${name} has changed since the request was opened.`
  return `${name} was changed on ${formatMoment(changedBy.at)} by ${changedBy.actor}.`
}
