import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { invalidate } from '#console/api/queries.ts'
import { silenceAlert, unsilenceAlert } from '#console/records/alerts/operations.ts'
import { offerUndo } from '#console/records/alerts/runUndo.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { counted } from '#domain/text/words.ts'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
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
const maxReason = 512

const schema = z.object({ length: z.enum(lengths.map(({ value }) => value)), reason: z.string().trim().max(maxReason) })

/** Silences the selected alerts for the same time and reason. */
export function BulkSilence({ alerts: chosen, nameOf, onClose }: BulkProps) {
  const connection = useConnection()
  const offered = useFeatureOffer(connection, alerts.silence)
  const { control } = useSchemaForm(schema, { length: '60', reason: '' })
  const { length, reason } = useWatch({ control, compute: (form: z.infer<typeof schema>) => form })
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
      disabled={
        !offered
          ? 'This deployment’s API does not offer silences of alerts.'
          : schema.safeParse({ length, reason }).success
            ? undefined
            : 'The reason is too long.'
      }
      onEnd={ended}
      onClose={onClose}
    >
      <SelectField control={control} name="length" label="Length" options={lengths} />
      <TextField control={control} name="reason" label="Reason" help="Shown with the silence" maxLength={maxReason} />
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
