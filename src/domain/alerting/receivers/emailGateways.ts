/** Mail APIs that accept JSON: their addresses, messages and keys. */
import { emailGatewayId } from './emailMarks.ts'
import { listPart, textPart, type BodyPart } from './bodyParts.ts'

export interface EmailGateway {
  id: string
  label: string
  url: string
  /** The header with the API key, and what stands before the key. */
  keyHeader: { name: string; prefix: string }
  body: string
  /** Whether an address may have a name: `On call <oncall@example.com>`. */
  hasNames: boolean
  sender: BodyPart
  recipients: BodyPart
}

const lines = (...text: string[]) => text.join('\n')
const message = String.raw`{{body}}\n\n{{link}}`
const objectList = (before: string) =>
  listPart(before, (email) => `{ "email": ${email} }`, /^\{\s*"email"\s*:\s*"((?:[^"\\]|\\.)*)"\s*\}$/)

export const emailGateways: readonly EmailGateway[] = [
  {
    id: 'postmark',
    label: 'Postmark',
    url: 'https://api.postmarkapp.com/email',
    keyHeader: { name: 'X-Postmark-Server-Token', prefix: '' },
    body: lines('{', '  "From": "",', '  "To": "",', '  "Subject": "{{title}}",', `  "TextBody": "${message}"`, '}'),
    hasNames: true,
    sender: textPart(String.raw`"From"\s*:\s*`),
    recipients: textPart(String.raw`"To"\s*:\s*`),
  },
  {
    id: 'sendgrid',
    label: 'SendGrid',
    url: 'https://api.sendgrid.com/v3/mail/send',
    keyHeader: { name: 'Authorization', prefix: 'Bearer ' },
    body: lines(
      '{',
      '  "personalizations": [{ "to": [] }],',
      '  "from": { "email": "" },',
      '  "subject": "{{title}}",',
      `  "content": [{ "type": "text/plain", "value": "${message}" }]`,
      '}',
    ),
    hasNames: false,
    sender: textPart(String.raw`"from"\s*:\s*\{\s*"email"\s*:\s*`),
    recipients: objectList(String.raw`"to"\s*:\s*`),
  },
  {
    id: 'resend',
    label: 'Resend',
    url: 'https://api.resend.com/emails',
    keyHeader: { name: 'Authorization', prefix: 'Bearer ' },
    body: lines('{', '  "from": "",', '  "to": [],', '  "subject": "{{title}}",', `  "text": "${message}"`, '}'),
    hasNames: true,
    sender: textPart(String.raw`"from"\s*:\s*`),
    recipients: listPart(String.raw`"to"\s*:\s*`, (email) => email, /^"((?:[^"\\]|\\.)*)"$/),
  },
  {
    id: 'brevo',
    label: 'Brevo',
    url: 'https://api.brevo.com/v3/smtp/email',
    keyHeader: { name: 'api-key', prefix: '' },
    body: lines(
      '{',
      '  "sender": { "email": "" },',
      '  "to": [],',
      '  "subject": "{{title}}",',
      `  "textContent": "${message}"`,
      '}',
    ),
    hasNames: false,
    sender: textPart(String.raw`"sender"\s*:\s*\{\s*"email"\s*:\s*`),
    recipients: objectList(String.raw`"to"\s*:\s*`),
  },
]

/** The gateway that an address leads to, or whose message a body is. */
export function emailGatewayOf(by: { host?: string; body?: string }): EmailGateway | undefined {
  const id = emailGatewayId(by)
  return emailGateways.find((gateway) => gateway.id === id)
}
