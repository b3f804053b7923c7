import { Send } from 'lucide-react'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { useTestOffer } from '#console/records/alerts/useTestOffer.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Input } from '#contract/wire/kernel.ts'
import { webhooks, type WebhookTestResult } from '#contract/stack/webhooks.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import * as css from '../webhooks.module.css'
import { Button } from '#console/ui/base/Button.tsx'

interface TestPanelProps {
  /** The webhook to try, read when the button is used. */
  trial: () => Input<typeof webhooks.test>['body']
  /** The object of the button: "the stored webhook". */
  lead: string
  /** Why it cannot be sent now. */
  disabled?: string | undefined
}

const notOffered = 'This deployment’s API does not offer test notifications.'

/** Sends a test notification and shows the receiver's answer. */
export function TestPanel({ trial, lead, disabled }: TestPanelProps) {
  const connection = useConnection()
  const isOffered = useTestOffer(webhooks.test)
  const test = useApiMutation(connection.id, webhooks.test)
  const reason = isOffered ? (lockReason(connection) ?? disabled) : notOffered
  return (
    <Panel title="Test">
      <Column gap={12}>
        <div className={css.testLead}>{lead}</div>
        <div>
          <DisabledReason reason={reason}>
            <Button
              startIcon={<Send size={14} aria-hidden />}
              loading={test.isPending}
              disabled={reason !== undefined}
              onClick={() => test.mutate({ body: trial() })}
            >
              Send test
            </Button>
          </DisabledReason>
        </div>
        {!isOffered && <Notice tone="info">{notOffered}</Notice>}
        {isOffered && test.error && <SubmitError error={formatError(test.error)} />}
        {test.data && <Answer result={test.data} />}
      </Column>
    </Panel>
  )
}

/** Deployments that only say that it was sent have no more than a message. */
function Answer({ result: { message, delivered = true, answer, duration } }: { result: WebhookTestResult }) {
  return (
    <>
      <Notice tone={delivered ? 'success' : 'error'} role="status">
        {message} {duration !== undefined && duration > 0 && `(${duration} ms)`}
      </Notice>
      {answer && (
        <ScrollRegion as="pre" label="Answer of the receiver" className={css.testAnswer}>
          {answer}
        </ScrollRegion>
      )}
    </>
  )
}
