import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import type { AuditEntry } from '#contract/console/audit.ts'

interface AuditDetailProps {
  entry: AuditEntry
  /** Whether the connection still exists. */
  hasConnection: boolean
}

/** All that an entry has. */
export function AuditDetail({ entry, hasConnection }: AuditDetailProps) {
  const {
    seq,
    at,
    actor,
    personId,
    event,
    connectionId,
    status,
    reason,
    request,
    outcome,
    changes,
    hash,
    previous,
    damaged,
  } = entry
  const ended = outcome === 'begun' ? 'The console ended before the outcome was known.' : reason
  const note = damaged ? 'What is stored of this entry is damaged. Compare it with an export or a backup.' : ended
  return (
    <DescriptionList
      rows={[
        ['Entry', String(seq)],
        ['Time', at],
        ['Who', actor],
        ['ID of the person', personId === undefined ? null : <code key="person">{personId}</code>],
        ['Event', <code key="event">{event}</code>],
        ['Status', status === null ? null : String(status)],
        ['Reason', note],
        [
          'Versions',
          connectionId !== null && hasConnection && changes.length > 0
            ? changes.map(({ kind, recordId, name }) =>
                recordId === null ? null : (
                  <LinkButton
                    key={`${kind}/${recordId}`}
                    to={paths.history(connectionId)}
                    search={{ kind, record: recordId }}
                  >
                    {`History of ${kindLabel(kind).one} ${name}`}
                  </LinkButton>
                ),
              )
            : null,
        ],
        ['Request', <code key="request">{request}</code>],
        ['Hash', <code key="hash">{hash}</code>],
        ['After', <code key="previous">{previous}</code>],
      ]}
    />
  )
}
