/** Ready bodies of generic webhooks for well-known receivers. Texts stand in quotes, numbers without. */

export interface BodyTemplate {
  id: string
  label: string
  /** What the webhook's URL must be, and what else it needs. */
  help: string
  body: string
}

/** A template with one value on each line. */
const lines = (...text: string[]) => text.join('\n')

export const bodyTemplates: readonly BodyTemplate[] = [
  {
    id: 'pagerduty',
    label: 'PagerDuty',
    help: 'URL: https://events.pagerduty.com/v2/enqueue. Replace the routing key by the one of your Events API v2 integration.',
    body: lines(
      '{',
      '  "routing_key": "YOUR_ROUTING_KEY",',
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
    ),
  },
  {
    id: 'teams',
    label: 'Microsoft Teams',
    help: 'URL of a workflow with the trigger "When a Teams webhook request is received".',
    body: lines(
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
    ),
  },
  {
    id: 'discord',
    label: 'Discord',
    help: 'URL of a Discord channel webhook: https://discord.com/api/webhooks/…',
    body: lines(
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
    ),
  },
  {
    id: 'email',
    label: 'Email gateway',
    help: 'URL of a mail API that accepts JSON, such as https://api.postmarkapp.com/email. Add its API key as a header.',
    body: lines(
      '{',
      '  "From": "alerts@example.com",',
      '  "To": "oncall@example.com",',
      '  "Subject": "{{title}}",',
      '  "TextBody": "{{body}}\\n\\n{{link}}"',
      '}',
    ),
  },
]
