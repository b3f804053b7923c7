/** The body that a new webhook of a well-known receiver starts with. Texts stand in quotes, numbers without. */
import { emailGateways } from './emailGateways.ts'
import type { ReceiverKind } from './receiverKinds.ts'

/** A template with one value on each line. */
const lines = (...text: string[]) => text.join('\n')

const pagerDuty = lines(
  '{',
  '  "routing_key": "",',
  '  "event_action": "{{#if (eq state "ALERT")}}trigger{{else}}resolve{{/if}}",',
  '  "dedup_key": "{{eventId}}",',
  '  "payload": {',
  '    "summary": "{{title}}",',
  '    "source": "stack",',
  '    "severity": "critical",',
  '    "timestamp": "{{endTimeISO}}",',
  '    "component": "{{groupKey}}",',
  '    "custom_details": { "message": "{{body}}", "value": {{value}}, "threshold": "{{comparator}} {{threshold}}" }',
  '  },',
  '  "links": [{ "href": "{{link}}", "text": "Open" }]',
  '}',
)

const teams = lines(
  '{',
  '  "type": "message",',
  '  "attachments": [{',
  '    "contentType": "application/vnd.microsoft.card.adaptive",',
  '    "content": {',
  '      "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",',
  '      "type": "AdaptiveCard",',
  '      "version": "1.4",',
  '      "body": [',
  '        { "type": "TextBlock", "size": "Large", "weight": "Bolder", "wrap": true, "text": "{{title}}", "color": "{{#if (eq state "ALERT")}}Attention{{else}}Good{{/if}}" },',
  '        { "type": "TextBlock", "wrap": true, "text": "{{body}}" }',
  '      ],',
  '      "actions": [{ "type": "Action.OpenUrl", "title": "Open", "url": "{{link}}" }]',
  '    }',
  '  }]',
  '}',
)

const discord = lines(
  '{',
  '  "allowed_mentions": { "parse": [] },',
  '  "embeds": [{',
  '    "title": "{{title}}",',
  '    "description": "{{body}}",',
  '    "url": "{{link}}",',
  '    "color": {{#if (eq state "ALERT")}}15158332{{else}}3066993{{/if}},',
  '    "timestamp": "{{endTimeISO}}"',
  '  }]',
  '}',
)

/** Slack, incident.io and custom receivers have the default body of their service. */
export const bodyTemplates: Partial<Record<ReceiverKind, string>> = {
  teams,
  pagerduty: pagerDuty,
  discord,
  email: emailGateways[0]?.body ?? '',
}
