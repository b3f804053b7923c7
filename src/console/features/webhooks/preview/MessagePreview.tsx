import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { notificationPreview } from '#console/api/gateway/notificationPreviews.ts'
import { receiverNames, type ReceiverKind } from '#domain/alerting/receivers/receiverKinds.ts'
import { maskRoutingKeys } from '#domain/alerting/receivers/routingKey.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { useSettled } from '#console/ui/useSettled.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { readableJson } from './readableJson.ts'
import { messageOf } from './messages.ts'
import { ReceivedMessage } from './ReceivedMessage.tsx'
import * as css from '../webhooks.module.css'

interface MessagePreviewProps {
  kind: ReceiverKind | null
  service: string
  /** The template; empty for the default of the service. */
  body: string
}

/** Milliseconds without typing after which the body is rendered. */
const pause = 400

const limits: Partial<Record<ReceiverKind, string>> = {
  slack: 'Slack shows up to 3,000 characters. Longer messages are shortened.',
  teams: 'Teams accepts 28 KB. Longer messages are shortened.',
  discord: 'Discord shows a title of 256 and a text of 4,096 characters. Longer ones are shortened.',
  pagerduty: 'A summary has up to 1,024 characters. Longer ones are shortened.',
}

/**
 * A notification with sample values as its receiver will show it, and the body of the request. The gateway renders it:
 * templates do not run in the page.
 */
export function MessagePreview({ kind, service, body }: MessagePreviewProps) {
  const connection = useConnection()
  const typed = useSettled(maskRoutingKeys(body, '••••••••'), pause)
  const webhook = { service, body: service === 'slack' || typed === '' ? null : typed }
  const preview = useQuery({ ...notificationPreview(connection.id, { webhook }), placeholderData: keepPreviousData })
  const { payload = null, problems = [] } = preview.data ?? {}
  const text = payload === null ? null : readableJson(payload)
  const message = payload === null ? null : messageOf(kind, payload)
  const isKnown = kind !== null && kind !== 'generic'
  const json = text && (
    <ScrollRegion as="pre" label="Preview of the body" className={css.previewScroller}>
      {text.text === '' ? 'Empty body' : text.text}
    </ScrollRegion>
  )
  return (
    <Panel
      title={kind === 'email' ? 'Preview of the email' : isKnown ? `Preview in ${receiverNames[kind]}` : 'Preview'}
      aside="sample values"
    >
      <Column gap={12}>
        {preview.error && <SubmitError error={formatError(preview.error)} />}
        {problems.map((problem) => (
          <Notice key={problem} tone="error" role="status">
            {problem}
          </Notice>
        ))}
        {text?.problem && (
          <Notice tone="warning" role="status">
            {text.problem}
          </Notice>
        )}
        {message && (
          <div role="group" aria-label="Message as the receiver shows it" className={css.previewMessage}>
            <ReceivedMessage {...message} />
          </div>
        )}
        {isKnown && text && !text.problem && !message && (
          <Notice tone="warning" role="status">
            The body is not in the form that {kind === 'email' ? 'the gateway' : receiverNames[kind]} expects, so it
            cannot be shown as a message.
          </Notice>
        )}
        {message ? (
          <details>
            <summary className={css.previewSummary}>Details: body of the request</summary>
            {json}
          </details>
        ) : (
          json
        )}
        {message && kind && limits[kind] && <div className={css.tag}>{limits[kind]}</div>}
      </Column>
    </Panel>
  )
}
