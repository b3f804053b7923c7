import Box from '@mui/material/Box'
import { formatChannel, type Names } from '#console/references/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import type { AlertChannel } from '#contract/alerts.ts'

/** Enough of an id to tell two apart. */
const shownEnd = 6

/** A channel by its name. A webhook without one is shown by the end of its id, with the reason, and the whole to copy. */
export function ChannelName({ channel, names }: { channel: AlertChannel; names: Names }) {
  const { variant } = useConnection()
  const { type, webhookId = '' } = channel
  if (type !== 'webhook' || webhookId === '' || names.webhooks?.has(webhookId)) return formatChannel(channel, names)
  const reason = names.webhooks
    ? 'There is no webhook with this id: nobody is told through it.'
    : variant === 'managed'
      ? 'This deployment lists no webhooks, so its name is not known here.'
      : 'Its name has not been read.'
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, whiteSpace: 'nowrap' }}>
      <span {...hint(`${reason} Id: ${webhookId}`)}>
        Webhook <code>…{webhookId.slice(-shownEnd)}</code>
      </span>
      <VisuallyHidden>{reason}</VisuallyHidden>
      <CopyButton text={webhookId} label={`Copy webhook id ${webhookId}`} compact />
    </Box>
  )
}
