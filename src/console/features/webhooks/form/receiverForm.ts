/** The values of a receiver's form: parts of the fields that every webhook has. */
import { partOf, routingKeyPart, withPart, type BodyPart } from '#domain/alerting/receivers/bodyParts.ts'
import { bodyTemplates } from '#domain/alerting/receivers/bodyTemplates.ts'
import type { EmailGateway } from '#domain/alerting/receivers/emailGateways.ts'
import { emailGateways } from '#domain/alerting/receivers/emailGateways.ts'
import { receiverKindOf, type ReceiverKind } from '#domain/alerting/receivers/receiverKinds.ts'
import type { Part } from '#console/ui/form/fields/PartField.tsx'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { emptyForm, readForm, receiverValues, type ReceiverFieldValues, type Secrets } from './webhookForm.ts'

/** The values of the fields when a receiver is chosen: as stored if the webhook has it, otherwise as its receiver needs them. */
export function startOf(kind: ReceiverKind, base: Webhook | null): ReceiverFieldValues {
  const stored = base && readForm(base)
  if (stored && receiverKindOf(base) === kind) return receiverValues(stored)
  const { headers, queryParams } = stored ?? emptyForm
  return {
    service: kind === 'slack' || kind === 'incidentio' ? kind : 'generic',
    url: startUrls[kind] ?? '',
    body: bodyTemplates[kind] ?? '',
    headers,
    queryParams,
  }
}

/** The URLs that are the same for everybody. */
const startUrls: Partial<Record<ReceiverKind, string>> = {
  pagerduty: 'https://events.pagerduty.com/v2/enqueue',
  email: emailGateways[0]?.url ?? '',
}

/** A value within the body. */
export const inBody = (part: BodyPart): Part<string> => ({
  read: (body) => partOf(body, part) ?? '',
  write: (body, text) => withPart(body, part, text),
})

/** The key of PagerDuty, which is not shown once it is stored. Without one, the stored one stays. */
export const routingKey = (base: Webhook | null): Part<string> => ({
  read: (body) => unmasked(partOf(body, routingKeyPart) ?? ''),
  write: (body, text) => {
    const stored = partOf(base?.body ?? '', routingKeyPart) ?? ''
    return withPart(body, routingKeyPart, text === '' ? stored : text)
  },
})

export const isMasked = (text: string): boolean => text.includes('•')
const unmasked = (text: string): string => (isMasked(text) ? '' : text)

/** A key that is sent as a header. Stored headers are not shown: a key that is entered takes their place. */
export const keyHeader = ({ name, prefix }: EmailGateway['keyHeader'], base: Webhook | null): Part<Secrets> => ({
  read: ({ pairs }) => {
    const value = pairs.find((pair) => isNamed(pair, name))?.value ?? ''
    return value.startsWith(prefix) ? value.slice(prefix.length) : value
  },
  write: ({ pairs }, text) => {
    const others = pairs.filter((pair) => !isNamed(pair, name))
    const key = withoutPrefix(text.trim(), prefix.trim())
    if (key !== '') return { kept: false, pairs: [...others, { name, value: prefix + key }] }
    return { kept: base !== null && others.length === 0, pairs: others }
  },
})

/** A key as it was pasted, whose header may be a part of it: "Bearer abc". */
function withoutPrefix(text: string, prefix: string): string {
  const isPrefixed = prefix !== '' && text.toLowerCase().startsWith(`${prefix.toLowerCase()} `)
  return isPrefixed ? text.slice(prefix.length).trim() : text
}

const isNamed = (pair: { name: string }, name: string) => pair.name.toLowerCase() === name.toLowerCase()

/** The body of another gateway, with the addresses of this one. */
export function withGateway(body: string, from: EmailGateway | undefined, to: EmailGateway): string {
  const [sender, recipients] = from ? [partOf(body, from.sender), partOf(body, from.recipients)] : ['', '']
  return withPart(withPart(to.body, to.sender, sender ?? ''), to.recipients, recipients ?? '')
}
