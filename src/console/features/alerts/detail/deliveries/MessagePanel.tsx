import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { notificationPreview } from '#console/api/gateway/notificationPreviews.ts'
import { q } from '#console/api/queries.ts'
import { formatChannel, type Names } from '#console/usages/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { useWatchedUnit } from '#console/charting/watched/useWatchedUnit.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { channelsOf, type Alert } from '#contract/stack/alerts.ts'
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import { hasShownBody, previewedEvent, type WindowEvent } from './previewedEvent.ts'
import * as css from '../alertDetail.module.css'

interface MessagePanelProps {
  alert: Alert
  names: Names
  /** The event that the message is rendered for; null if no window is known. */
  windowEvent: WindowEvent | null
}

/** The message as a webhook would get it. The gateway renders it: templates do not run in the page. */
export function MessagePanel({ alert, names, ...newest }: MessagePanelProps) {
  const connection = useConnection()
  // Otherwise it would be rendered again with every evaluation.
  const [{ windowEvent }] = useState(newest)
  // Each once, though an alert may name one twice.
  const webhooks = new Map(
    channelsOf(alert).flatMap((channel) => (channel.webhookId ? [[channel.webhookId, channel]] : [])),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const webhookId = chosen ?? webhooks.keys().next().value
  const webhook = names.webhooks?.get(webhookId ?? '')
  const boards = useQuery(q(connection.id, dashboards.list, {}))
  const unit = useWatchedUnit(connection, alert)
  const hasNames = alert.source === 'tile' ? boards.isFetched : names.savedSearches !== undefined
  const { data, error } = useQuery({
    ...notificationPreview(connection.id, {
      webhook: { service: webhook?.service ?? 'generic', body: webhook?.body ?? null },
      event: previewedEvent(alert, names, windowEvent, unit),
    }),
    enabled: hasNames && connection.writesRefused === undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <Panel
      title="Message"
      aside={
        <Row>
          {connection.writesRefused ? 'template' : formatWindowEvent(windowEvent)}
          {webhooks.size > 1 && (
            <ToggleButtons
              label="Channel"
              value={webhookId ?? ''}
              options={[...webhooks].map(([id, channel]) => ({ value: id, label: formatChannel(channel, names) }))}
              onChange={setChosen}
            />
          )}
        </Row>
      }
    >
      <Column gap={12}>
        {error && <SubmitError error={formatError(error)} />}
        {connection.writesRefused && <div className={css.messageText}>{alert.message ?? 'The default message'}</div>}
        {!data && !error && !connection.writesRefused && <MessageSkeleton />}
        {data?.problems.map((problem) => (
          <Notice key={problem} tone="error" role="status">
            {problem}
          </Notice>
        ))}
        {data && (
          <div className={css.message}>
            <div className={css.messageTitle}>{data.title}</div>
            <div className={css.messageText}>{data.message}</div>
          </div>
        )}
        {data?.payload && webhook && hasShownBody(webhook) && (
          <details>
            <summary>Body of the request</summary>
            <ScrollRegion as="pre" label="Body of the request" className={css.messageScroller}>
              {data.payload}
            </ScrollRegion>
          </details>
        )}
        <Text variant="caption" color="textSecondary">
          {connection.writesRefused
            ? `The template of the message. Rendering it needs the right to edit alerts. ${connection.writesRefused}`
            : renderedHere}
        </Text>
      </Column>
    </Panel>
  )
}

const renderedHere =
  'Rendered by this console. Sent messages also have up to 5 rows of their window, and the link of the deployment.'

/** The panel until it is known which window the message is rendered for. */
export function LoadingMessage() {
  return (
    <Panel title="Message">
      <Column gap={12}>
        <MessageSkeleton />
        <Text variant="caption" color="textSecondary">
          {renderedHere}
        </Text>
      </Column>
    </Panel>
  )
}

/** As high as a message of five lines and what opens its body. */
const MessageSkeleton = () => <Skeleton variant="rounded" height={130} />

/** "as rendered for service:cart at 19:05" */
function formatWindowEvent(windowEvent: WindowEvent | null): string {
  if (!windowEvent) return 'as rendered with the threshold as the value'
  const group = windowEvent.group && ` for ${windowEvent.group}`
  if (windowEvent.value === null) return `as rendered${group} with the threshold as the value`
  return `as rendered${group} at ${formatRecent(windowEvent.end, Date.now())}`
}
