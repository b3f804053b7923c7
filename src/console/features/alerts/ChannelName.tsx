import { formatChannel, type Names } from '#console/usages/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { AlertChannel } from '#contract/stack/alerts.ts'
import * as css from './alerts.module.css'

/** Enough of an ID to recognize it. */
const shownEnd = 6

/** A channel by its name. A webhook whose name is not known is shown by the end of its ID, with the reason and a button to copy the ID. */
export function ChannelName({ channel, names }: { channel: AlertChannel; names: Names }) {
  const { variant } = useConnection()
  const { type, webhookId = '' } = channel
  if (type !== 'webhook' || webhookId === '' || names.webhooks?.has(webhookId)) return formatChannel(channel, names)
  const reason = names.webhooks
    ? 'No webhook has this ID: no notifications are sent there.'
    : variant === 'managed'
      ? 'This deployment does not list webhooks, so the name is not known.'
      : 'The name could not be read.'
  return (
    <span className={css.channelName}>
      <span {...hint(`${reason} ID: ${webhookId}`)}>
        Webhook <code>…{webhookId.slice(-shownEnd)}</code>
      </span>
      <VisuallyHidden>{reason}</VisuallyHidden>
      <CopyButton text={webhookId} label={`Copy webhook ID ${webhookId}`} compact />
    </span>
  )
}
