/** The body of the request to a webhook, by service. */
import { cutMarkup } from './cutText.ts'
import { fitted } from './receiverLimits.ts'
import { renderBody, TemplateError } from './templates.ts'

/** The values that body templates can use. Absent ones print as nothing. */
export type PayloadVariables = Record<string, string | number | undefined> & {
  title: string
  body: string
  link: string
}

/** The body of a generic webhook without a template. */
const genericBody =
  '{"text": "{{title}} | {{body}} | {{link}} | {{state}} | {{startTime}} | {{endTime}} | {{eventId}}"}'

/** The body of an incident.io webhook without a template: incident.io refuses the generic one. */
const incidentioBody =
  '{"title":"{{title}}","description":"{{body}}","deduplication_key":"{{eventId}}",' +
  '"status":"{{#if (eq state "ALERT")}}firing{{else}}resolved{{/if}}","source_url":"{{link}}"}'

/** Slack refuses a block with a longer text. */
const maxSlackText = 3000
/** The part of that for the title, with its link beside it. */
const maxSlackTitle = 1500
/** Longer bodies are a mistake in a template. */
const maxPayload = 256 * 1024

/** @throws TemplateError for a template that cannot be rendered, or whose result is too long */
export function payloadOf(service: string, body: string | null | undefined, variables: PayloadVariables): string {
  const text = service === 'slack' ? slackPayload(variables) : templatePayload(service, body, variables)
  if (text.length > maxPayload) throw new TemplateError(`the body is longer than ${maxPayload / 1024} KiB`)
  return text
}

function templatePayload(service: string, body: string | null | undefined, variables: PayloadVariables): string {
  const template = body ?? (service === 'incidentio' ? incidentioBody : genericBody)
  const escaped = Object.entries(variables).map(([name, value]) => [
    name,
    typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : value,
  ])
  const text = renderBody(template, Object.fromEntries(escaped))
  return text.length > maxPayload ? text : fitted(text)
}

function slackPayload({ title, body, link }: PayloadVariables): string {
  // A bracket in the title would end the link.
  const heading = cutMarkup(title.replaceAll('<', '&lt;').replaceAll('>', '&gt;'), maxSlackTitle)
  const linked = `*<${link} | ${heading}>*\n`
  const text = linked + cutMarkup(body, maxSlackText - linked.length)
  return JSON.stringify({ text: title, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] })
}
