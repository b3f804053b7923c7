import { useWatch, type FieldErrors, type UseFormReturn } from 'react-hook-form'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { receiverName, receiverNames, type ReceiverKind } from '#domain/alerting/receivers/receiverKinds.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { FoldedPanel } from '#console/ui/layout/FoldedPanel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { webhooks, type Webhook } from '#contract/stack/webhooks.ts'
import { bodyHelp, missingVariables } from './bodyVariables.ts'
import { receiverProblems } from './receiverProblems.ts'
import { SecretsField } from './SecretsField.tsx'
import { fieldTitles, hidesBody, type WebhookForm } from './webhookForm.ts'

interface RequestPanelProps {
  form: UseFormReturn<WebhookForm>
  /** The edited webhook; null for a new webhook. */
  base: Webhook | null
  /** null: a service that this console does not know. */
  kind: ReceiverKind | null
  /** A changed URL or service clears the stored headers and parameters. */
  moved: boolean
}

/** The request itself: in sight for a custom receiver, folded where the form of the receiver fills it in. */
export function RequestPanel({ form: { control, formState }, base, kind, moved }: RequestPanelProps) {
  const body = useWatch({ control, name: 'body' })
  // Deployments that send tests have all of them.
  const hasAllVariables = useFeatureOffer(useConnection(), webhooks.test)
  const missing = hasAllVariables ? null : missingVariables(body)
  const isCustom = kind === null || kind === 'generic'
  const isOpen = useWatch({ control, compute: (values: WebhookForm) => needsLook(values, base, formState.errors) })
  const fields = (
    <FieldGrid columns={1}>
      <TextField
        control={control}
        name="body"
        label={fieldTitles.body}
        lines={4}
        mono
        maxLength={16_384}
        help={helpOf(base, hasAllVariables)}
      />
      {missing && <Notice tone="warning">{missing}</Notice>}
      <SecretsField control={control} name="headers" itemName="header" mayBeStored={base !== null} moved={moved} />
      <SecretsField
        control={control}
        name="queryParams"
        itemName="parameter"
        mayBeStored={base !== null}
        moved={moved}
      />
    </FieldGrid>
  )
  if (isCustom) {
    return (
      <Panel title="Request" aside="optional">
        {fields}
      </Panel>
    )
  }
  return (
    <FoldedPanel
      key={kind}
      title="Request"
      summary={`body, headers and query parameters, as ${kind === 'email' ? 'the gateway' : receiverNames[kind]} needs them`}
      open={isOpen}
    >
      {fields}
    </FoldedPanel>
  )
}

/** Whether the panel has an error that no other field shows, or something that a save would clear. */
function needsLook(
  values: WebhookForm,
  base: Webhook | null,
  { body, headers, queryParams }: FieldErrors<WebhookForm>,
): boolean {
  const elsewhere = receiverProblems(values, base).map(({ message }) => message)
  const own = [body, headers].some((error) => error && !elsewhere.includes(error.message ?? ''))
  return own || queryParams !== undefined || (base !== null && hidesBody(base))
}

function helpOf(base: Webhook | null, hasAllVariables: boolean): string {
  if (base && hidesBody(base)) {
    return `The API does not return the body for ${receiverName({ service: base.service })}. Saving without one clears it: enter it again.`
  }
  return bodyHelp(hasAllVariables)
}
