import TextField from '@mui/material/TextField'
import { useRef, useState } from 'react'
import { useFeatureOffer } from '#console/api/features/useFeatureOffer.ts'
import { invalidate } from '#console/api/queries.ts'
import { silenceAlert, unsilenceAlert } from '#console/shell/alerts/operations.ts'
import { offerUndo } from '#console/shell/alerts/runUndo.ts'
import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { counted } from '#domain/text/words.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { alerts, type Alert } from '#contract/alerts.ts'
import { Text } from '#console/ui/base/Text.tsx'
import type { BulkProps } from './BulkChanges.tsx'

/** Minutes. */
const lengths = [
  { value: '30', label: '30 minutes' },
  { value: '60', label: '1 hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: '24 hours' },
  { value: '10080', label: '7 days' },
] as const
type Length = (typeof lengths)[number]['value']

/** Silences the selected alerts for the same time and reason. */
export function BulkSilence({ alerts: chosen, nameOf, onClose }: BulkProps) {
  const connection = useConnection()
  const offered = useFeatureOffer(connection, alerts.silence)
  const [length, setLength] = useState<Length>('60')
  const [reason, setReason] = useState('')
  /** The alerts with their silences. */
  const silenced = useRef(new Map<string, Alert>())
  const replaced = chosen.filter(({ silenced }) => silenced).length
  const silence = (alert: Alert) =>
    silenceAlert(connection.id, alert, {
      mutedUntil: new Date(Date.now() + Number(length) * 60_000).toISOString(),
      ...(reason.trim() && { reason: reason.trim() }),
    })
  const ended = (done: string[]) => {
    void invalidate(connection.id, 'alerts')
    const changed = chosen.filter(({ id }) => done.includes(id))
    if (changed.length === 0) return
    offerUndo(
      connection,
      `${counted(changed.length, 'alert')} silenced.`,
      changed.map((alert) => ({
        id: alert.id,
        name: nameOf(alert),
        undo: () => restoreSilence(connection.id, alert, silenced.current.get(alert.id) ?? alert),
      })),
    )
  }
  return (
    <BulkDialog
      title={`Silence ${counted(chosen.length, 'alert')}`}
      rows={chosen.map((alert) => ({ id: alert.id, name: nameOf(alert), alert }))}
      task={async ({ alert }) => void silenced.current.set(alert.id, await silence(alert))}
      action={`Silence ${counted(chosen.length, 'alert')}`}
      disabled={offered ? undefined : 'This deployment’s API does not offer silences of alerts.'}
      onEnd={ended}
      onClose={onClose}
    >
      <SelectInput label="Length" value={length} options={lengths} onChange={setLength} />
      <TextField
        label="Reason"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        helperText="Shown with the silence"
        slotProps={{ htmlInput: { maxLength: 512 } }}
      />
      <Text>Evaluation continues. Notifications are not sent until the silence ends.</Text>
      {replaced > 0 && (
        <Text color="textSecondary">
          {counted(replaced, 'alert')} {replaced === 1 ? 'is' : 'are'} silenced already: this replaces the silence.
        </Text>
      )}
      <Text variant="caption" color="textSecondary">
        {counted(chosen.length, 'request')}, one at a time.
      </Text>
    </BulkDialog>
  )
}

/** The silence from before, or none, unless somebody else changed the new one. */
async function restoreSilence(connectionId: string, before: Alert, after: Alert): Promise<void> {
  const { until, reason, recurring } = before.silenced ?? {}
  if (!until || Date.parse(until) <= Date.now()) {
    await unsilenceAlert(connectionId, after)
    return
  }
  const body = alerts.silence.body.parse({
    mutedUntil: until,
    ...(reason && { reason }),
    ...(recurring && { recurring }),
  })
  await silenceAlert(connectionId, after, body)
}
