import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useController, type Control } from 'react-hook-form'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { PickField } from '#console/ui/form/fields/PickField.tsx'
import type { Option } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { receiverName } from '#domain/alerting/receivers/receiverKinds.ts'
import { maxChannels, type AlertChannel } from '#contract/stack/alerts.ts'
import { webhooks } from '#contract/stack/webhooks.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { FieldHelp } from '#console/ui/base/Field.tsx'
import { FieldGroup, FieldGroupRow } from '#console/ui/form/FieldGroup.tsx'
import type { AlertForm } from './formFields.ts'
import * as css from './alerts.module.css'

/** Where notifications are sent: webhooks by name, or by ID where they could not be read. */
export function ChannelsField({ control }: { control: Control<AlertForm> }) {
  const connection = useConnection()
  const { field, fieldState } = useController({ control, name: 'channels' })
  const { options, unlisted } = useWebhooks()
  const limit = connection.variant === 'managed' ? 1 : maxChannels
  const full = limitReason(field.value.length, limit)
  const change = (channels: AlertChannel[]) => field.onChange(channels)
  // RHF puts the error of the list itself beside those of its rows.
  const error = fieldState.error?.message ?? fieldState.error?.root?.message
  return (
    <FieldGroup label="Channels">
      {field.value.map((channel, at) => (
        <FieldGroupRow
          key={at}
          removeLabel={`Remove channel ${at + 1}`}
          onRemove={() => change(field.value.filter((_, other) => other !== at))}
        >
          <ChannelRow control={control} channel={channel} at={at} options={options} unlisted={unlisted} />
        </FieldGroupRow>
      ))}
      {error && <FieldHelp error>{error}</FieldHelp>}
      <div>
        <DisabledReason reason={full}>
          <Button
            startIcon={<Plus size={14} aria-hidden />}
            disabled={full !== undefined}
            onClick={() => change([...field.value, { type: 'webhook', webhookId: '' }])}
          >
            Add channel
          </Button>
        </DisabledReason>
      </div>
    </FieldGroup>
  )
}

function limitReason(count: number, limit: number): string | undefined {
  if (count < limit) return undefined
  return limit === 1
    ? 'The managed API supports one channel for each alert.'
    : `At most ${limit} channels for each alert.`
}

interface ChannelRowProps {
  control: Control<AlertForm>
  channel: AlertChannel
  at: number
  options: Option[]
  /** Why there is nothing to choose from, so that an ID must be typed. */
  unlisted: string | undefined
}

function ChannelRow({ control, channel, at, options, unlisted }: ChannelRowProps) {
  if (channel.type !== 'webhook') {
    return (
      <div className={css.otherChannel}>
        <div className={css.channelsType}>{channel.type} channel</div>
        <code className={css.stored}>{JSON.stringify(channel)}</code>
        <FieldHelp>The console cannot edit this kind of channel. It is saved unchanged.</FieldHelp>
      </div>
    )
  }
  const name = `channels.${at}.webhookId` as const
  const label = at === 0 ? 'Webhook' : `Webhook ${at + 1}`
  if (unlisted !== undefined) {
    return <TextField control={control} name={name} label={`${label} ID`} required mono help={unlisted} />
  }
  return (
    <PickField
      control={control}
      name={name}
      label={label}
      required
      options={options}
      placeholder="Choose a webhook or paste an ID"
      emptyText={options.length === 0 ? 'No webhooks yet' : 'No matching webhook'}
    />
  )
}

function useWebhooks(): Pick<ChannelRowProps, 'options' | 'unlisted'> {
  const connection = useConnection()
  const { offered } = useOffer(connection, 'webhooks', webhooks.list.variants)
  const { data, isError } = useQuery({ ...q(connection.id, webhooks.list, {}), enabled: offered })
  const options = (data ?? []).map((webhook) => ({
    value: webhook.id,
    label: webhook.name,
    detail: [receiverName(webhook), webhook.url && maskAddress(webhook.url)].filter(Boolean).join(' · '),
  }))
  if (!offered) return { options, unlisted: 'This deployment does not list its webhooks: paste the ID.' }
  return { options, unlisted: isError ? 'The webhooks could not be read: paste the ID.' : undefined }
}
