import TextField from '@mui/material/TextField'
import { useMemo, useState } from 'react'
import type { Names } from '#console/references/alertNames.ts'
import { AlertChangeDialog } from '#console/shell/alerts/AlertChangeDialog.tsx'
import { WebhookInput } from '#console/shell/alerts/WebhookInput.tsx'
import { counted } from '#domain/text/words.ts'
import { readNumber } from '#console/ui/form/fields/readNumber.ts'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { alertIntervals, channelsOf, type Alert } from '#contract/alerts.ts'
import type { AlertChange } from '#domain/alerting/alertChange.ts'
import { formatInterval } from './alertLabels.ts'

export interface BulkProps {
  alerts: readonly Alert[]
  names: Names
  nameOf: (alert: Alert) => string
  onClose: () => void
}

/** Another interval for the selected alerts. */
export function BulkInterval(props: BulkProps) {
  const [interval, setInterval] = useState('')
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
      <SelectInput
        label="Interval"
        value={interval}
        options={alertIntervals.map((value) => ({ value: String(value), label: formatInterval(value) }))}
        onChange={setInterval}
      />
    </AlertChangeDialog>
  )
}

/** Thresholds that are higher or lower by a share. */
export function BulkThreshold(props: BulkProps) {
  const [text, setText] = useState('')
  const percent = readNumber(text)
  const wrong = percent !== null && !(percent > -100 && percent <= 10_000)
  const change = useMemo(
    (): AlertChange | undefined => (percent === null || wrong ? undefined : { kind: 'threshold', percent }),
    [percent, wrong],
  )
  return (
    <AlertChangeDialog
      {...props}
      title={`Change the threshold of ${counted(props.alerts.length, 'alert')}`}
      change={change}
      missing="Enter a percentage first."
    >
      <TextField
        label="Change in percent"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={wrong}
        helperText={wrong ? 'Enter a number between -99.9 and 10,000' : '+20% raises 50 to 60, -20% lowers it to 40'}
        slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off' } }}
      />
    </AlertChangeDialog>
  )
}

const modes = [
  { value: 'addWebhook', label: 'Add a webhook' },
  { value: 'replaceWebhook', label: 'Replace a webhook' },
  { value: 'removeWebhook', label: 'Remove a webhook' },
] as const
type Mode = (typeof modes)[number]['value']

/** A webhook that is added to the selected alerts, removed from them, or replaced. */
export function BulkChannels(props: BulkProps) {
  const [mode, setMode] = useState<Mode>('addWebhook')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const used = useMemo(
    () => [...new Set(props.alerts.flatMap((alert) => channelsOf(alert).flatMap(({ webhookId }) => webhookId ?? [])))],
    [props.alerts],
  )
  const change = useMemo(() => changeOf(mode, from, to), [mode, from, to])
  return (
    <AlertChangeDialog
      {...props}
      title={`Change the channels of ${counted(props.alerts.length, 'alert')}`}
      change={change}
      missing="Choose a webhook first."
    >
      <SelectInput label="Change" value={mode} options={modes} onChange={setMode} />
      {mode !== 'addWebhook' && (
        <WebhookInput
          label={mode === 'removeWebhook' ? 'Webhook' : 'Current webhook'}
          value={from}
          onChange={setFrom}
          only={used}
        />
      )}
      {mode !== 'removeWebhook' && (
        <WebhookInput
          label={mode === 'addWebhook' ? 'Webhook' : 'New webhook'}
          value={to}
          onChange={setTo}
          except={mode === 'addWebhook' ? '' : from}
        />
      )}
    </AlertChangeDialog>
  )
}

function changeOf(mode: Mode, from: string, to: string): AlertChange | undefined {
  if (mode === 'addWebhook') return to ? { kind: mode, webhookId: to } : undefined
  if (mode === 'removeWebhook') return from ? { kind: mode, webhookId: from } : undefined
  return from && to ? { kind: mode, from, to } : undefined
}
