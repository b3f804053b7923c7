import { ChevronDown, ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as base from '#console/ui/base/base.module.css'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { AuditEntry } from '#contract/console/audit.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { actionOf, outcomeLabels, outcomeTones } from '#console/records/audit/auditLabels.ts'
import * as css from './audit.module.css'
import { paths } from '#console/paths/paths.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { kindLabel } from '#console/shell/recordKinds.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'

interface AuditTableProps {
  entries: readonly AuditEntry[]
  /** The number of the entry whose details are shown. */
  open: number | undefined
  onOpen: (seq: number | undefined) => void
}

/** Entries, the newest first. */
export function AuditTable({ entries, open, onOpen }: AuditTableProps) {
  const { connections } = useFrameConnection()
  const nameOf = (id: string) => connections.find((connection) => connection.id === id)?.name ?? 'a deleted connection'
  return (
    <table className={`${base.table} ${css.entries}`} aria-label="Audit log">
      <thead>
        <tr>
          <th aria-label="Details" />
          <th>Time</th>
          <th>Who</th>
          <th>What</th>
          <th>From</th>
          <th>Outcome</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const { seq, at, actor, event, subject, connectionId, address, outcome, mark, damaged } = entry
          const isOpen = seq === open
          const action = actionOf(event)
          const Icon = isOpen ? ChevronDown : ChevronRight
          return (
            <Fragment key={seq}>
              <tr className={css.entry}>
                <td>
                  <IconButton
                    size="small"
                    aria-expanded={isOpen}
                    aria-label={`Details of entry ${seq}`}
                    onClick={() => onOpen(isOpen ? undefined : seq)}
                  >
                    <Icon size={14} aria-hidden />
                  </IconButton>
                </td>
                <td>
                  <time dateTime={at} title={at}>
                    {Number.isNaN(Date.parse(at)) ? 'unknown' : formatMoment(at, 'local', 'second')}
                  </time>
                </td>
                <td>{formatBrowser(actor)}</td>
                <td>
                  {mark && <StatusChip tone="bad">{mark}</StatusChip>} {action} {subject !== null && <b>{subject}</b>}
                  {connectionId !== null && <span className={css.on}> on {nameOf(connectionId)}</span>}
                </td>
                <td>{address === null ? <span className={css.on}>a run</span> : <code>{address}</code>}</td>
                <td>
                  {damaged ? (
                    <StatusChip tone="bad">damaged</StatusChip>
                  ) : (
                    <StatusChip tone={outcomeTones[outcome]}>{outcomeLabels[outcome]}</StatusChip>
                  )}
                </td>
              </tr>
              {isOpen && (
                <tr>
                  <td colSpan={6}>
                    <AuditDetail entry={entry} hasConnection={connections.some(({ id }) => id === connectionId)} />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

interface AuditDetailProps {
  entry: AuditEntry
  /** Whether the connection still exists. */
  hasConnection: boolean
}

/** All fields of an entry. */
function AuditDetail({ entry, hasConnection }: AuditDetailProps) {
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
