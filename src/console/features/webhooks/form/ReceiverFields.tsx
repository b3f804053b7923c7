import { useWatch, type UseFormReturn } from 'react-hook-form'
import { partOf, routingKeyPart } from '#domain/alerting/receivers/bodyParts.ts'
import { emailGatewayOf, emailGateways } from '#domain/alerting/receivers/emailGateways.ts'
import { hostOf, receiverKindOf, receiverNames, type ReceiverKind } from '#domain/alerting/receivers/receiverKinds.ts'
import { addressWarning, bodyProblems, routingKeyWarning } from '#domain/alerting/receivers/receiverRules.ts'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { PartField } from '#console/ui/form/fields/PartField.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { keyIsElsewhere } from './receiverProblems.ts'
import { isMoved, type WebhookForm } from './webhookForm.ts'
import { inBody, isMasked, keyHeader, routingKey, withGateway } from './receiverForm.ts'

interface ReceiverFieldsProps {
  form: UseFormReturn<WebhookForm>
  kind: ReceiverKind | null
  /** The edited webhook; null for a new webhook. */
  base: Webhook | null
  /** Takes the form of another receiver, with the URL as it is. */
  onPick: (kind: ReceiverKind) => void
}

/** Fields of one receiver besides its URL, with warnings. */
export function ReceiverFields({ form, kind, base, onPick }: ReceiverFieldsProps) {
  const { control } = form
  const [url, body] = useWatch({ control, name: ['url', 'body'] })
  const warning = kind && addressWarning(kind, url, body)
  const other = kind === 'generic' ? receiverKindOf({ service: 'generic', url }) : null
  return (
    <>
      {warning && (
        <Notice tone="warning" role="status">
          {warning}
        </Notice>
      )}
      {kind === 'pagerduty' && <RoutingKeyField form={form} base={base} />}
      {kind === 'incidentio' && <KeyField form={form} base={base} label="Token" header={bearer} />}
      {kind === 'email' && (
        <>
          <GatewayField form={form} base={base} />
          <FieldGrid>
            <EmailFields form={form} base={base} />
          </FieldGrid>
        </>
      )}
      {other && other !== 'generic' && (
        <Notice
          tone="info"
          role="status"
          action={<Button onClick={() => onPick(other)}>Use {receiverNames[other]}</Button>}
        >
          This URL leads to {receiverNames[other]}, which has a form of its own.
        </Notice>
      )}
    </>
  )
}

type PartProps = Pick<ReceiverFieldsProps, 'form' | 'base'>

/** Headers with a token. */
const bearer = { name: 'Authorization', prefix: 'Bearer ' }

function RoutingKeyField({ form: { control }, base }: PartProps) {
  const [body, url, service] = useWatch({ control, name: ['body', 'url', 'service'] })
  const key = partOf(body, routingKeyPart)
  if (key === null) return <EditedBody what="routing key" />
  const moved = base !== null && isMoved({ url, service }, base)
  const isStored = isMasked(partOf(base?.body ?? '', routingKeyPart) ?? '') && !moved
  const [problem] = bodyProblems('pagerduty', body)
  const missing = moved && isMasked(key) ? keyIsElsewhere : undefined
  return (
    <PartField
      control={control}
      name="body"
      part={routingKey(base)}
      label="Integration key"
      type="password"
      required={!isStored}
      mono
      problem={problem?.message ?? missing}
      help={
        missing ??
        (isMasked(key) ? null : routingKeyWarning(key)) ??
        (isStored
          ? 'Leave empty to keep the current key, which is not shown.'
          : 'Service, Integrations, Events API v2. It is sent as the routing key.')
      }
    />
  )
}

function GatewayField({ form, base }: PartProps) {
  const { control, getValues, setValue } = form
  const [url, body] = useWatch({ control, name: ['url', 'body'] })
  const current = emailGatewayOf({ host: hostOf(url || base?.url) }) ?? emailGatewayOf({ body })
  const pick = (id: string) => {
    const next = emailGateways.find((gateway) => gateway.id === id)
    if (!next) return
    setValue('body', withGateway(getValues('body'), emailGatewayOf({ body: getValues('body') }), next), changed)
    setValue('url', next.url, changed)
    setValue('headers', base ? { kept: true, pairs: [] } : { kept: false, pairs: [] }, changed)
  }
  return (
    <SelectInput
      label="Gateway"
      value={current?.id ?? ''}
      options={emailGateways.map(({ id, label }) => ({ value: id, label }))}
      {...(!current && { shown: 'Other' })}
      onChange={pick}
      minWidth={220}
    />
  )
}

const changed = { shouldDirty: true, shouldTouch: true }

function EmailFields({ form, base }: PartProps) {
  const { control } = form
  const body = useWatch({ control, name: 'body' })
  const gateway = emailGatewayOf({ body })
  const problems = bodyProblems('email', body)
  const problem = (part: string) => problems.find((bodyProblem) => bodyProblem.part === part)?.message
  if (!gateway) return <EditedBody what="addresses" />
  const [sender, recipients] = [partOf(body, gateway.sender), partOf(body, gateway.recipients)]
  return (
    <>
      {sender === null || recipients === null ? (
        <EditedBody what="addresses" />
      ) : (
        <>
          <PartField
            control={control}
            name="body"
            part={inBody(gateway.sender)}
            label="From"
            required
            placeholder={gateway.hasNames ? 'Alerts <alerts@example.com>' : 'alerts@example.com'}
            problem={problem('sender')}
            help="An address that the gateway may send from."
          />
          <PartField
            control={control}
            name="body"
            part={inBody(gateway.recipients)}
            label="To"
            required
            placeholder="oncall@example.com"
            problem={problem('recipients')}
            help="Separate several addresses by commas."
          />
        </>
      )}
      <KeyField form={form} base={base} label="API key" header={gateway.keyHeader} />
    </>
  )
}

interface KeyFieldProps extends PartProps {
  label: string
  header: { name: string; prefix: string }
}

function KeyField({ form: { control, formState }, base, label, header }: KeyFieldProps) {
  const { headers } = formState.errors
  const [url, service] = useWatch({ control, name: ['url', 'service'] })
  const moved = base !== null && isMoved({ url, service }, base)
  return (
    <PartField
      control={control}
      name="headers"
      part={keyHeader(header, base)}
      label={label}
      type="password"
      required={(base === null || moved) && label === 'API key'}
      mono
      problem={headers?.message ?? headers?.root?.message}
      help={
        base === null
          ? `Sent as the header ${header.name}.`
          : moved
            ? `Sent as the header ${header.name}. The stored headers are only for the URL that they are stored with: enter the key of this one.`
            : `Sent as the header ${header.name}. Leave empty to keep the stored headers, which are not shown; a key replaces all of them.`
      }
    />
  )
}

/** The body was written by hand, so that its parts cannot be edited one by one. */
function EditedBody({ what }: { what: string }) {
  return (
    <Notice tone="info">The body does not have its {what} where this form expects them: edit it under Request.</Notice>
  )
}
