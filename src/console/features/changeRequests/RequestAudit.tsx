import { useInfiniteQuery } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { auditQuery } from '#console/api/gateway/audit.ts'
import { actionOf, outcomeLabels, outcomeTones } from '#console/records/audit/auditLabels.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { formatBrowser } from '#console/shell/session/browserName.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { AuditEntry } from '#contract/console/audit.ts'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'
import * as css from './changeRequests.module.css'

/** A request in the audit log: who asked, decided and commented, and from where. */
export function RequestAudit({ request: { connectionId, number } }: { request: ChangeRequestDetail }) {
  const { data, error } = useInfiniteQuery(auditQuery({ connectionId, changeRequest: number }))
  const entries = data?.pages[0]?.entries
  return (
    <Panel title="Audit" aside={entries && 'Newest first'} flush>
      {error && !entries && <PanelText>Could not be read. {formatError(error).sentence}</PanelText>}
      {!error && !entries && <PanelText>Loading…</PanelText>}
      {entries?.length === 0 && <PanelText>The audit log has no entries of this request.</PanelText>}
      {entries && entries.length > 0 && (
        <SmallTable label="Audit" heads={['Time', 'Who', 'What', 'Outcome']} className={css.audit}>
          {entries.map((entry) => (
            <EntryRow key={entry.seq} entry={entry} />
          ))}
        </SmallTable>
      )}
    </Panel>
  )
}

function EntryRow({ entry: { at, actor, event, subject, address, outcome } }: { entry: AuditEntry }) {
  return (
    <tr>
      <td>
        <time dateTime={at} title={at}>
          {formatMoment(at, 'local', 'second')}
        </time>
      </td>
      <td>
        {formatBrowser(actor)} {address !== null && <code className={css.address}>{address}</code>}
      </td>
      <td>
        {actionOf(event)} {!event.startsWith('changeRequest.') && subject}
      </td>
      <td>
        <StatusChip tone={outcomeTones[outcome]}>{outcomeLabels[outcome]}</StatusChip>
      </td>
    </tr>
  )
}
