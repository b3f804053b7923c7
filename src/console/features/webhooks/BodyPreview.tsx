import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { formatError } from '#console/api/errors.ts'
import { notificationPreview } from '#console/api/gateway/notificationPreviews.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { useSettled } from '#console/ui/useSettled.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { readableJson } from './readableJson.ts'
import css from './BodyPreview.module.css'

interface BodyPreviewProps {
  service: string
  /** The template; empty for the default of the service. */
  body: string
}

/** Milliseconds without typing after which the body is rendered. */
const pause = 400

/** The body of a request with sample values. The gateway renders it: templates do not run in the page. */
export function BodyPreview({ service, body }: BodyPreviewProps) {
  const connection = useConnection()
  const typed = useSettled(body, pause)
  const webhook = { service, body: service === 'slack' || typed === '' ? null : typed }
  const preview = useQuery({ ...notificationPreview(connection.id, { webhook }), placeholderData: keepPreviousData })
  const { payload = null, problems = [] } = preview.data ?? {}
  const text = payload === null ? null : readableJson(payload)
  return (
    <Panel title="Preview" aside="sample values">
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
        {text && (
          <ScrollRegion as="pre" label="Preview of the body" className={css.scroller}>
            {text.text === '' ? 'Empty body' : text.text}
          </ScrollRegion>
        )}
      </Column>
    </Panel>
  )
}
