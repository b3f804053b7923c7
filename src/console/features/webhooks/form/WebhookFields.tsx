import { useRef, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Flame, Hash, type LucideIcon, Mail, MessagesSquare, Siren, Users, Webhook as WebhookIcon } from 'lucide-react'
import {
  type ReceiverKind,
  receiverKindOf,
  receiverKinds,
  receiverName,
  receiverNames,
} from '#domain/alerting/receivers/receiverKinds.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { maskAddress } from '#console/ui/maskAddress.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { ChoiceCards } from '#console/ui/ChoiceCards.tsx'
import {
  fieldTitles,
  isMoved,
  receiverFields,
  type ReceiverFieldValues,
  receiverValues,
  trialBody,
  type WebhookForm,
} from './webhookForm.ts'

// The fields of receivers that have more than a URL.
const ReceiverFields = lazyComponent(async () => (await import('./ReceiverFields.tsx')).ReceiverFields)
// Parts further down come after the rest.
const RequestPanel = lazyComponent(async () => (await import('./RequestPanel.tsx')).RequestPanel)
const TestPanel = lazyComponent(async () => (await import('./TestPanel.tsx')).TestPanel)
const MessagePreview = lazyComponent(async () => (await import('../preview/MessagePreview.tsx')).MessagePreview)

interface FieldsProps {
  form: UseFormReturn<WebhookForm>
  /** The edited webhook; null for a new webhook. */
  base: Webhook | null
}

/** The fields of a webhook, shared by create and edit: those that its receiver needs, and the request behind them. */
export function WebhookFields({ form, base }: FieldsProps) {
  const { control, getValues } = form
  const [service, url, body] = useWatch({ control, name: ['service', 'url', 'body'] })
  const { chosen, kind, pick } = useReceiver(form, base)
  const moved = base !== null && isMoved({ service, url }, base)
  const hasMask = base !== null && body.includes('•') && (moved || body !== base.body)
  const untested =
    url.trim() === '' && base === null
      ? 'Enter a URL first'
      : hasMask
        ? 'Enter the integration key again to test this change'
        : undefined
  return (
    <>
      <Panel title="Webhook">
        <Column gap={16}>
          <ReceiverChoice kind={chosen} onPick={(next) => void pick(next)} />
          {kind === null && (
            <Notice tone="info">
              This deployment has the service {receiverName({ service })}, which is kept unless you choose a receiver.
            </Notice>
          )}
          <FieldGrid>
            <TextField
              control={control}
              name="name"
              label={fieldTitles.name}
              required
              maxLength={1024}
              help="Unique among the webhooks of its service."
            />
            <TextField control={control} name="description" label={fieldTitles.description} maxLength={2048} />
          </FieldGrid>
          <TextField
            control={control}
            name="url"
            label={fieldTitles.url}
            required={base === null}
            type="url"
            mono
            placeholder={base?.url ? maskAddress(base.url) : 'https://'}
            help={
              base
                ? 'Leave empty to keep the current URL. It is masked because it may contain a token.'
                : urlHelp[kind ?? 'generic']
            }
          />
          <ReceiverFields
            form={form}
            kind={kind}
            base={base}
            onPick={(next) => void pick(next, { url: getValues('url') })}
          />
          {moved && base.service !== 'slack' && (
            <Notice tone="warning" role="status">
              Changing the URL or the service clears the stored headers and query parameters unless you enter them
              again.
            </Notice>
          )}
        </Column>
      </Panel>
      {service !== 'slack' && <RequestPanel form={form} base={base} kind={kind} moved={moved} />}
      <MessagePreview kind={kind} service={service} body={body} />
      <TestPanel
        trial={() => trialBody(getValues(), base)}
        lead="Sends a notification with sample values to this webhook. Nothing is saved."
        disabled={untested}
      />
    </>
  )
}

const urlHelp: Record<ReceiverKind, string> = {
  slack: 'The URL of an incoming webhook: https://hooks.slack.com/services/…',
  teams: 'The URL of a workflow with the trigger “When a Teams webhook request is received”.',
  pagerduty: 'Accounts in the EU: https://events.eu.pagerduty.com/v2/enqueue',
  discord: 'Channel settings, Integrations, Webhooks: https://discord.com/api/webhooks/…',
  email: 'The URL of the gateway’s API for single messages.',
  incidentio: 'The URL of an HTTP alert source: https://api.incident.io/v2/alert_events/http/…',
  generic: 'HTTP or HTTPS. Private addresses are refused.',
}

/** The chosen receiver, and the choice of another one. What was entered for each receiver comes back with it. */
function useReceiver({ getValues, setValue, clearErrors }: UseFormReturn<WebhookForm>, base: Webhook | null) {
  const [chosen, setChosen] = useState(() => receiverKindOf(base ?? getValues()))
  // The one whose values are in the form, a moment later.
  const [kind, setKind] = useState(chosen)
  const latest = useRef({ chosen, filled: chosen })
  const entered = useRef(new Map<ReceiverKind | null, ReceiverFieldValues>())
  const pick = async (next: ReceiverKind, changes: Partial<ReceiverFieldValues> = {}) => {
    setChosen(next)
    latest.current.chosen = next
    const { startOf } = await import('./receiverForm.ts')
    // Another one was chosen meanwhile. Its values follow.
    if (latest.current.chosen !== next) return
    entered.current.set(latest.current.filled, receiverValues(getValues()))
    latest.current.filled = next
    const fields = { ...(entered.current.get(next) ?? startOf(next, base)), ...changes }
    for (const name of receiverFields) setValue(name, fields[name], { shouldDirty: true })
    clearErrors(receiverFields)
    setKind(next)
  }
  return { chosen, kind, pick }
}

const icons: Record<ReceiverKind, LucideIcon> = {
  slack: Hash,
  teams: Users,
  pagerduty: Siren,
  discord: MessagesSquare,
  email: Mail,
  incidentio: Flame,
  generic: WebhookIcon,
}

const options = receiverKinds.map((kind) => ({
  value: kind,
  label: kind === 'generic' ? 'Custom (HTTP)' : receiverNames[kind],
  icon: icons[kind],
}))

interface ReceiverChoiceProps {
  /** null: a service that this console does not know. */
  kind: ReceiverKind | null
  onPick: (kind: ReceiverKind) => void
}

/** Which receiver a webhook notifies. It is not stored: the other fields say it. */
function ReceiverChoice({ kind, onPick }: ReceiverChoiceProps) {
  return <ChoiceCards label="Receiver" value={kind ?? ''} options={options} onChange={onPick} />
}
