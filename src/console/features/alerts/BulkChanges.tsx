import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import type { Names } from '#console/usages/alertNames.ts'
import { AlertChangeDialog } from '#console/records/alerts/AlertChangeDialog.tsx'
import { WebhookField } from '#console/records/alerts/WebhookField.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { counted } from '#domain/text/words.ts'
import { alertIntervals, channelsOf, type Alert } from '#contract/stack/alerts.ts'
import type { AlertChange } from '#domain/alerting/alertChange.ts'
import { formatInterval } from './alertLabels.ts'

export interface BulkProps {
  alerts: readonly Alert[]
  names: Names
  nameOf: (alert: Alert) => string
  onClose: () => void
}

const intervalSchema = z.object({ interval: z.string() })

/** Another interval for the selected alerts. */
export function BulkInterval(props: BulkProps) {
  const { control } = useSchemaForm(intervalSchema, { interval: '' })
  const interval = useWatch({ control, name: 'interval' })
  const change = useMemo(
    (): AlertChange | undefined => (interval ? { kind: 'interval', interval } : undefined),
    [interval],
  )
  return (
    <AlertChangeDialog
      {...props}
      title={`Change the interval of ${counted(props.alerts.length, 'alert')}`}
      change={change}
      missing="Choose an interval first."
    >
      <SelectField
        control={control}
        name="interval"
        label="Interval"
        options={alertIntervals.map((value) => ({ value: String(value), label: formatInterval(value) }))}
      />
    </AlertChangeDialog>
  )
}

const percentRule = 'Enter a number between -99.9 and 10,000'
const thresholdSchema = z.object({
  percent: z.number(percentRule).gt(-100, percentRule).max(10_000, percentRule).nullable(),
})

/** Thresholds that are higher or lower by a share. */
export function BulkThreshold(props: BulkProps) {
  const { control } = useSchemaForm(thresholdSchema, { percent: null }, { mode: 'onChange' })
  const typed = useWatch({ control, name: 'percent' })
  const percent = thresholdSchema.safeParse({ percent: typed }).data?.percent ?? null
  const change = useMemo(
    (): AlertChange | undefined => (percent === null ? undefined : { kind: 'threshold', percent }),
    [percent],
  )
  return (
    <AlertChangeDialog
      {...props}
      title={`Change the threshold of ${counted(props.alerts.length, 'alert')}`}
      change={change}
      missing="Enter a percentage first."
    >
      <NumberField
        control={control}
        name="percent"
        label="Change in percent"
        help="+20% raises 50 to 60, -20% lowers it to 40"
      />
    </AlertChangeDialog>
  )
}

const modes = [
  { value: 'addWebhook', label: 'Add a webhook' },
  { value: 'replaceWebhook', label: 'Replace a webhook' },
  { value: 'removeWebhook', label: 'Remove a webhook' },
] as const

const channelsSchema = z.object({
  mode: z.enum(modes.map(({ value }) => value)),
  /** IDs of webhooks. */
  from: z.string().trim(),
  to: z.string().trim(),
})
type ChannelsForm = z.infer<typeof channelsSchema>

/** A webhook that is added to the selected alerts, removed from them, or replaced. */
export function BulkChannels(props: BulkProps) {
  const { control } = useSchemaForm(channelsSchema, { mode: 'addWebhook', from: '', to: '' })
  const form = useWatch({ control, compute: (all: ChannelsForm) => all })
  const { mode, from } = form
  const used = useMemo(
    () => [...new Set(props.alerts.flatMap((alert) => channelsOf(alert).flatMap(({ webhookId }) => webhookId ?? [])))],
    [props.alerts],
  )
  const change = useMemo(() => changeOf(channelsSchema.parse(form)), [form])
  return (
    <AlertChangeDialog
      {...props}
      title={`Change the channels of ${counted(props.alerts.length, 'alert')}`}
      change={change}
      missing="Choose a webhook first."
    >
      <SelectField control={control} name="mode" label="Change" options={modes} />
      {mode !== 'addWebhook' && (
        <WebhookField
          control={control}
          name="from"
          label={mode === 'removeWebhook' ? 'Webhook' : 'Current webhook'}
          only={used}
        />
      )}
      {mode !== 'removeWebhook' && (
        <WebhookField
          control={control}
          name="to"
          label={mode === 'addWebhook' ? 'Webhook' : 'New webhook'}
          except={mode === 'addWebhook' ? '' : from}
        />
      )}
    </AlertChangeDialog>
  )
}

function changeOf({ mode, from, to }: ChannelsForm): AlertChange | undefined {
  if (mode === 'addWebhook') return to ? { kind: mode, webhookId: to } : undefined
  if (mode === 'removeWebhook') return from ? { kind: mode, webhookId: from } : undefined
  return from && to ? { kind: mode, from, to } : undefined
}
