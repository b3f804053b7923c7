import { useQuery } from '@tanstack/react-query'
import { auditVerificationQuery } from '#console/api/gateway/audit.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { counted } from '#domain/text/words.ts'
import css from './AuditPage.module.css'

/** Whether the entries are as they were written. */
export function ChainState() {
  const { data, error } = useQuery(auditVerificationQuery)
  if (error) return <StatusChip tone="warn">not verified</StatusChip>
  if (!data) return null
  const { entries, head, fault } = data
  if (fault) {
    return (
      <>
        <StatusChip tone="bad">chain broken</StatusChip>
        <span className={css.chain}>
          Entry {fault.seq}: {fault.problem}
        </span>
      </>
    )
  }
  return (
    <>
      <StatusChip tone="ok">chain verified</StatusChip>
      <span className={css.chain} title={head ?? undefined}>
        {counted(entries, 'entry')}
        {head !== null && <code>{` ${head.slice(0, 4)}…${head.slice(-4)}`}</code>}
      </span>
    </>
  )
}
