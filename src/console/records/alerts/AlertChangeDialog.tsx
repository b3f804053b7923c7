import { type ReactNode, useMemo, useRef } from 'react'
import { invalidate } from '#console/api/queries.ts'
import { formatChannels, type Names } from '#console/usages/alertNames.ts'
import { counted } from '#domain/text/words.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { type Alert, alerts, maxChannels } from '#contract/stack/alerts.ts'
import { alertBody, type AlertChange, planAlertChange } from '#domain/alerting/alertChange.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { call } from '#console/api/call.ts'
import { guardedWrite, storedNow } from '#console/api/guardedWrite.ts'
import { sameValue } from '#console/ui/form/values.ts'
import type { Connection } from '#contract/console/connections.ts'
import { BulkDialog } from '../bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { offerUndo } from './runUndo.ts'
import * as css from '../records.module.css'

interface AlertChangeDialogProps {
  /** "Change the interval of 3 alerts". */
  title: string
  /** As they were read when the dialog was opened: what others change meanwhile is a conflict. */
  alerts: readonly Alert[]
  names: Names
  nameOf: (alert: Alert) => string
  /** Undefined until it is chosen. */
  change: AlertChange | undefined
  /** Why nothing is chosen yet: "Choose an interval first." */
  missing: string
  onClose: () => void
  /** The fields that choose the change. */
  children: ReactNode
}

/** One change for many alerts: its plan with old and new values, then the outcome of each. */
export function AlertChangeDialog(props: AlertChangeDialogProps) {
  const { title, alerts, names, nameOf, change, missing, onClose, children } = props
  const connection = useConnection()
  const plan = useMemo(
    () =>
      change
        ? alerts.map((alert) => ({ alert, ...planAlertChange(alert, change, maxChannelsOf(connection)) }))
        : undefined,
    [alerts, change, connection],
  )
  const planned = (plan ?? []).flatMap(({ alert, after }) => (after ? [{ alert, after }] : []))
  const skipped = (plan ?? []).flatMap(({ alert, reason }) => (reason ? [{ alert, reason }] : []))
  const rows = planned.map(({ alert, after }) => ({ id: alert.id, name: nameOf(alert), alert, after }))
  const saved = useRef(new Map<string, Alert>())

  const ended = (done: string[]) => {
    void invalidate(connection.id, 'alerts')
    if (done.length === 0) return
    offerUndo(
      connection,
      `${counted(done.length, 'alert')} changed.`,
      rows.flatMap(({ id, name, alert }) => {
        const now = saved.current.get(id)
        return now && done.includes(id) ? [{ id, name, undo: () => saveAlert(connection.id, now, alert) }] : []
      }),
    )
  }
  return (
    <BulkDialog
      title={title}
      rows={rows}
      task={async ({ id, alert, after }) => {
        saved.current.set(id, await saveAlert(connection.id, alert, after))
      }}
      action={planned.length === 0 ? 'Change alerts' : `Change ${counted(planned.length, 'alert')}`}
      disabled={
        change === undefined ? missing : planned.length === 0 ? 'This changes none of these alerts.' : undefined
      }
      onEnd={ended}
      onClose={onClose}
    >
      {children}
      {planned.length > 0 && (
        <>
          <ScrollRegion as="ul" label="Plan" className={css.alertChangePlan}>
            {planned.map(({ alert, after }) => (
              <li key={alert.id} className={css.plannedChange}>
                <strong>{nameOf(alert)}</strong>: {describe(alert, names)}
                {' → '}
                <span className={css.alertChangeAfter}>{describe(after, names)}</span>
              </li>
            ))}
          </ScrollRegion>
          <Text variant="caption" color="textSecondary">
            {counted(planned.length * 2, 'request')}, one at a time: each alert is read again before it is saved. An
            alert that somebody else changed meanwhile is not saved.
          </Text>
        </>
      )}
      <SkippedAlerts rows={skipped} nameOf={nameOf} />
    </BulkDialog>
  )

  /** The value that the change is about. */
  function describe(alert: Alert, known: Names): string {
    if (change?.kind === 'interval') return alert.interval
    if (change?.kind === 'threshold') return formatThresholds(alert)
    return formatChannels(alert, known)
  }
}

function formatThresholds({ threshold, thresholdMax, thresholdType }: Alert): string {
  const isRange = thresholdType.endsWith('between') && typeof thresholdMax === 'number'
  return isRange ? `${threshold} to ${thresholdMax}` : String(threshold)
}

interface SkippedAlertsProps {
  rows: readonly { alert: Alert; reason: string }[]
  nameOf: (alert: Alert) => string
}

/** The alerts that a bulk change skips, each with the reason. */
function SkippedAlerts({ rows, nameOf }: SkippedAlertsProps) {
  if (rows.length === 0) return null
  return (
    <Text component="div" color="textSecondary">
      Skipped:
      <ul style={{ margin: 0, paddingLeft: 16, maxHeight: 160, overflow: 'auto' }}>
        {rows.map(({ alert, reason }) => (
          <li key={alert.id}>
            {nameOf(alert)}: {reason}
          </li>
        ))}
      </ul>
    </Text>
  )
}

/** Channels of one alert: the managed API has one. */
const maxChannelsOf = ({ variant }: Pick<Connection, 'variant'>) => (variant === 'managed' ? 1 : maxChannels)

/** Throws ApiFailure: `conflict` if somebody else changed the alert since `before` was read. Nothing is written then. */
async function saveAlert(connectionId: string, before: Alert, after: Alert): Promise<Alert> {
  try {
    return await guardedWrite({
      base: before,
      record: alerts.update.result,
      unchanged: (now) => isSameAlert(now, before),
      write: (base) =>
        call(
          connectionId,
          alerts.update,
          { params: { alertId: before.id }, body: alerts.update.body.parse(alertBody(after)) },
          { base },
        ),
    })
  } catch (error) {
    // A retry after a lost response: the change was stored the first time.
    const now = storedNow(error, alerts.update.result)
    if (now && isSameAlert(now, after)) return now
    throw error
  }
}

/** Whether two alerts are the same, as far as a save is concerned. */
const isSameAlert = (a: Alert, b: Alert) => sameValue(alertBody(a), alertBody(b))
