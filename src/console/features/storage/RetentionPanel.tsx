import { Pencil, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import * as base from '#console/ui/base/base.module.css'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { roleReason } from '#contract/console/consoleRoles.ts'
import {
  storage,
  storedSignals,
  type SignalStorage,
  type StorageReport,
  type StoredSignal,
} from '#contract/stack/storage.ts'
import { dailyRate } from '#domain/storage/forecast.ts'
import { counted } from '#domain/text/words.ts'
import { bytesOf, formatBytes, signalTitles } from './storageText.ts'
import * as css from './storage.module.css'

const RetentionDialog = lazyComponent(async () => (await import('./RetentionDialog.tsx')).RetentionDialog)

type KnownSignal = SignalStorage & { signal: StoredSignal }

const isKnown = (signalStorage: SignalStorage): signalStorage is KnownSignal =>
  storedSignals.some((known) => known === signalStorage.signal)

/** How long each kind of telemetry is kept, what it takes and how it grows. */
export function RetentionPanel({ report, now }: { report: StorageReport; now: number }) {
  const connection = useConnection()
  const [edited, setEdited] = useState<StoredSignal | null>(null)
  const isAdministrator = connection.role === undefined || connection.role === 'administrator'
  const locked =
    lockReason(connection) ??
    (isAdministrator ? undefined : roleReason(connection.role ?? 'none', 'administrate', connection.stage))
  const undo = useApiMutation(connection.id, storage.setRetention, {
    onSuccess: () => toast({ tone: 'ok', text: 'Retention changed back. Nothing was deleted.' }),
    onError: toastFailure,
  })
  const signals = report.signals.filter(isKnown)
  const open = signals.find(({ signal }) => signal === edited)
  return (
    <Panel title="Retention" flush>
      {signals.map((signal) => (
        <PendingDeletion
          key={signal.signal}
          storage={signal}
          locked={locked}
          undoing={undo.isPending}
          onUndo={(body) => undo.mutate({ body })}
        />
      ))}
      <SmallTable
        label="Retention"
        heads={[
          'Telemetry',
          'Kept for',
          { title: 'Size', number: true },
          { title: 'Each day', number: true },
          { title: 'Actions', hidden: true },
        ]}
      >
        {signals.map((signal) => (
          <RetentionRow
            key={signal.signal}
            storage={signal}
            now={now}
            locked={locked}
            onChange={() => setEdited(signal.signal)}
          />
        ))}
      </SmallTable>
      {open && (
        <RetentionDialog
          storage={open}
          defaultDays={report.defaultRetentionDays}
          now={now}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  )
}

interface PendingDeletionProps {
  storage: KnownSignal
  locked: string | undefined
  undoing: boolean
  /** Sets the retention that is still in effect. */
  onUndo: (body: { signal: StoredSignal; retentionDays: number | null }) => void
}

/** The data that a shorter retention is about to delete, until it does. */
function PendingDeletion({ storage: stored, locked, undoing, onUndo }: PendingDeletionProps) {
  const { signal, pending, isDefault, retentionDays } = stored
  if (!pending) return null
  return (
    <div className={css.pending}>
      <Notice
        tone="warning"
        action={
          <DisabledReason reason={locked}>
            <Button
              startIcon={<Undo2 size={14} aria-hidden />}
              disabled={locked !== undefined}
              loading={undoing}
              onClick={() => onUndo({ signal, retentionDays: isDefault ? null : retentionDays })}
            >
              Undo
            </Button>
          </DisabledReason>
        }
      >
        {signalTitles[signal]} that are older than {counted(pending.retentionDays, 'day')} are deleted{' '}
        <Timestamp iso={pending.from} />
      </Notice>
    </div>
  )
}

interface RetentionRowProps {
  storage: KnownSignal
  now: number
  locked: string | undefined
  onChange: () => void
}

function RetentionRow({
  storage: { signal, retentionDays, isDefault, days },
  now,
  locked,
  onChange,
}: RetentionRowProps) {
  const rate = days && dailyRate(days, now)
  return (
    <tr>
      <th scope="row">{signalTitles[signal]}</th>
      <td>
        {counted(retentionDays, 'day')}
        {isDefault && <span className={css.quiet}> (RETENTION_DAYS)</span>}
      </td>
      <td className={base.tableNumber}>{days && formatBytes(bytesOf(days))}</td>
      <td className={base.tableNumber}>{rate ? formatBytes(rate.mean) : ''}</td>
      <td data-actions="menu" className={css.actions}>
        <DisabledReason reason={locked}>
          <Button
            aria-label={`Change the retention of ${signal}`}
            startIcon={<Pencil size={14} aria-hidden />}
            disabled={locked !== undefined}
            onPointerEnter={RetentionDialog.preload}
            onClick={onChange}
          >
            Change
          </Button>
        </DisabledReason>
      </td>
    </tr>
  )
}
