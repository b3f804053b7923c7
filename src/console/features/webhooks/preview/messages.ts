/** The bodies of requests as their receivers read them. Unknown fields are left out. */
import { z } from 'zod'
import type { ReceiverKind } from '#domain/alerting/receivers/receiverKinds.ts'

const text = z.string().catch('')

const slack = z.object({
  text,
  blocks: z
    .array(z.object({ type: text, text: z.object({ type: text, text }).optional() }))
    .catch([])
    .default([]),
})

const card = z.object({
  contentType: z.literal('application/vnd.microsoft.card.adaptive'),
  content: z.object({
    body: z.array(
      z.object({ type: text, text, size: text.default(''), weight: text.default(''), color: text.default('') }),
    ),
    actions: z
      .array(z.object({ title: text }))
      .catch([])
      .default([]),
  }),
})
const teams = z.object({ attachments: z.array(card).min(1) })

const discord = z
  .object({
    content: text.default(''),
    embeds: z
      .array(
        z.object({
          title: text.default(''),
          description: text.default(''),
          url: text.default(''),
          color: z.number().optional().catch(undefined),
          fields: z
            .array(z.object({ name: text, value: text }))
            .catch([])
            .default([]),
        }),
      )
      .default([]),
  })
  .refine(({ content, embeds }) => content !== '' || embeds.length > 0)

const pagerduty = z.object({
  event_action: text,
  payload: z.object({
    summary: text,
    source: text.default(''),
    severity: text.default(''),
    component: text.default(''),
    custom_details: z.record(z.string(), z.unknown()).catch({}).default({}),
  }),
  links: z
    .array(z.object({ href: text, text: text.default('') }))
    .catch([])
    .default([]),
})

const incidentio = z.object({
  title: z.string(),
  description: text.default(''),
  status: text,
  source_url: text.default(''),
})

const address = z.object({ email: text })
const addresses = z.array(address).transform((all) => all.map(({ email }) => email).join(', '))
/** The messages of the gateways in one form. */
const email = z.union([
  z
    .object({ From: text, To: text, Subject: text, TextBody: text })
    .transform(({ From, To, Subject, TextBody }) => ({ from: From, to: To, subject: Subject, text: TextBody })),
  z
    .object({
      personalizations: z.array(z.object({ to: addresses })).min(1),
      from: address,
      subject: text,
      content: z.array(z.object({ value: text })).min(1),
    })
    .transform(({ personalizations, from, subject, content }) => ({
      from: from.email,
      to: personalizations[0]?.to ?? '',
      subject,
      text: content[0]?.value ?? '',
    })),
  z
    .object({ sender: address, to: addresses, subject: text, textContent: text })
    .transform(({ sender, to, subject, textContent }) => ({ from: sender.email, to, subject, text: textContent })),
  z
    .object({ from: z.string(), to: z.array(z.string()), subject: text, text })
    .transform(({ to, ...rest }) => ({ ...rest, to: to.join(', ') })),
])

const messages = { slack, teams, discord, pagerduty, incidentio, email }

export type Message = {
  [Kind in keyof typeof messages]: { kind: Kind; message: z.output<(typeof messages)[Kind]> }
}[keyof typeof messages]

/** The message in a body; null if it is not in the form that its receiver reads. */
export function messageOf(kind: ReceiverKind | null, body: string): Message | null {
  if (kind === null || kind === 'generic') return null
  try {
    const { data } = messages[kind].safeParse(JSON.parse(body))
    return data ? ({ kind, message: data } as Message) : null // the schema of this kind read it
  } catch {
    return null
  }
}
