import { describe, expect, test } from 'vitest'
import { bodyTemplates } from './bodyTemplates.ts'
import { partOf, routingKeyPart, withPart } from './bodyParts.ts'
import { emailGateways } from './emailGateways.ts'
import { receiverKindOf, receiverName } from './receiverKinds.ts'
import { addressWarning, bodyProblems, routingKeyWarning } from './receiverRules.ts'
import { maskRoutingKeys, unmaskRoutingKeys } from './routingKey.ts'

const key = 'R0123456789abcdef0123456789abcde'

describe('the receiver of a webhook', () => {
  test.each([
    [{ service: 'slack', url: 'https://hooks.slack.com/services/••••••••' }, 'slack'],
    [{ service: 'slack', url: 'https://mattermost.example/hooks/••••••••' }, 'slack'],
    [{ service: 'incidentio', url: 'https://x.example' }, 'incidentio'],
    [{ service: 'generic', url: 'https://hooks.slack.com/services/••••••••' }, 'slack'],
    [
      { service: 'generic', url: 'https://discord.com/api/webhooks/••••••••', body: '{"content":"{{title}}"}' },
      'discord',
    ],
    [{ service: 'generic', url: 'https://events.eu.pagerduty.com/v2/••••••••' }, 'pagerduty'],
    [{ service: 'generic', url: 'https://x.webhook.office.com/••••••••' }, 'teams'],
    [{ service: 'generic', url: 'https://a.westeurope.logic.azure.com/workflows/••••••••' }, 'generic'],
    [{ service: 'generic', url: 'https://a.westeurope.logic.azure.com/x', body: bodyTemplates.teams }, 'teams'],
    [{ service: 'generic', url: 'https://proxy.example/x', body: bodyTemplates.pagerduty }, 'pagerduty'],
    [{ service: 'generic', url: 'https://proxy.example/x', body: bodyTemplates.discord }, 'discord'],
    [{ service: 'generic', url: 'https://notdiscord.com/x', body: null }, 'generic'],
    [{ service: 'generic', url: 'https://api.eu.sendgrid.com/v3/mail/send' }, 'email'],
    [{ service: 'generic' }, 'generic'],
    [{ service: 'later', url: 'https://discord.com/x' }, null],
  ])('%j is %s', (webhook, kind) => expect(receiverKindOf(webhook)).toBe(kind))

  test.each(emailGateways)('of the message of $label is an email gateway', ({ body }) => {
    expect(receiverKindOf({ service: 'generic', url: 'https://mail.example/send', body })).toBe('email')
  })

  test('has a name, also where only the deployment knows the service', () => {
    expect(receiverName({ service: 'generic', url: 'https://discord.com/api' })).toBe('Discord')
    expect(receiverName({ service: 'pagerduty_api' })).toBe('PagerDuty')
    expect(receiverName({ service: 'later' })).toBe('later')
  })
})

describe('a value of a body', () => {
  test.each(emailGateways)(
    'of $label is replaced and read back, and the rest stays',
    ({ body, sender, recipients }) => {
      const from = withPart(body, sender, 'Alerts "x" <alerts@example.com>')
      const both = withPart(from, recipients, 'a@example.com,  b@example.com')
      expect(partOf(both, sender)).toBe('Alerts "x" <alerts@example.com>')
      expect(partOf(both, recipients)?.split(/, */)).toEqual(['a@example.com', 'b@example.com'])
      expect(() => JSON.parse(both)).not.toThrow()
      expect(withPart(withPart(both, recipients, ''), sender, '')).toBe(body)
    },
  )

  test('is not touched where the form could not show it as it is', () => {
    const [sendGrid] = emailGateways.filter(({ id }) => id === 'sendgrid')
    if (!sendGrid) throw new Error('SendGrid is a gateway')
    for (const to of ['"to": [{ "email": "a@b.c", "name": "A" }]', '"to": [1]', '"to": []}, { "to": []'])
      expect(partOf(`{ "personalizations": [{ ${to} }] }`, sendGrid.recipients)).toBeNull()
    const twice = '{ "From": "a", "x": { "From": "b" } }'
    const [postmark] = emailGateways
    if (!postmark) throw new Error('Postmark is a gateway')
    expect(withPart(twice, postmark.sender, 'c')).toBe(twice)
  })
})

describe('the routing key', () => {
  const body = withPart(bodyTemplates.pagerduty ?? '', routingKeyPart, key)

  test('is masked, and its mask replaced by what is stored', () => {
    const shown = maskRoutingKeys(body, '•••')
    expect(shown).not.toContain(key)
    const edited = shown.replace('critical', 'warning')
    expect(unmaskRoutingKeys(edited, '•••', body)).toBe(body.replace('critical', 'warning'))
    expect(unmaskRoutingKeys(edited, '•••', '{}')).toBe(edited)
    expect(unmaskRoutingKeys(withPart(shown, routingKeyPart, 'other'), '•••', body)).toContain('"other"')
  })

  test('goes by the name of its field, and is not guessed of several', () => {
    const stored = '{"routing_key":"a","service_key":"b"}'
    expect(unmaskRoutingKeys('{"service_key":"•••","routing_key":"•••"}', '•••', stored)).toBe(
      '{"service_key":"b","routing_key":"a"}',
    )
    const several = '{"routing_key":"•••"}'
    expect(unmaskRoutingKeys(several, '•••', '{"routing_key":"a"}{"routing_key":"b"}')).toBe(several)
  })

  test('of a variable or a placeholder is none', () => {
    for (const written of ['{{note}}', 'YOUR_ROUTING_KEY', '']) {
      const same = withPart(body, routingKeyPart, written)
      expect(maskRoutingKeys(same, '•••')).toBe(same)
    }
  })

  test('is required, and its length is known', () => {
    expect(bodyProblems('pagerduty', body)).toEqual([])
    for (const missing of ['', ' ', 'YOUR_ROUTING_KEY'])
      expect(bodyProblems('pagerduty', withPart(body, routingKeyPart, missing))).toMatchObject([{ part: 'routingKey' }])
    expect(bodyProblems('pagerduty', '{"event_action":"trigger"}')).toEqual([])
    expect(routingKeyWarning(key)).toBeNull()
    expect(routingKeyWarning('short')).toContain('has 5 characters')
  })
})

test('email addresses are required, alone or after a name', () => {
  const [postmark] = emailGateways
  if (!postmark) throw new Error('Postmark is a gateway')
  const problems = (from: string, to: string) =>
    bodyProblems('email', withPart(withPart(postmark.body, postmark.sender, from), postmark.recipients, to))
  expect(problems('On call <a@example.com>', 'a@example.com, b@example.com')).toEqual([])
  expect(problems('', 'a@example.com, b')).toEqual([
    { part: 'sender', message: 'Enter an email address, such as oncall@example.com' },
    { part: 'recipients', message: 'b is not an email address, such as oncall@example.com' },
  ])
  expect(problems('{{note}}', '{{note}}')).toEqual([])
  const sendGrid = emailGateways.find(({ id }) => id === 'sendgrid')
  if (!sendGrid) throw new Error('SendGrid is a gateway')
  expect(bodyProblems('email', withPart(sendGrid.body, sendGrid.sender, 'On call <a@example.com>'))[0]).toEqual({
    part: 'sender',
    message: 'SendGrid takes the address without a name: a@example.com',
  })
})

test.each([
  ['slack', 'https://hooks.slack.com/services/T/B/x', null],
  ['slack', 'https://hooks.slack.com/archives', /begins with https:\/\/hooks.slack.com\/services\//],
  ['slack', 'https://chat.example/hooks/x', /Mattermost/],
  ['teams', 'https://prod-1.westeurope.logic.azure.com:443/workflows/x?sig=y', null],
  ['teams', 'https://x.webhook.office.com/webhookb2/y', /retired/],
  ['teams', 'https://proxy.example/teams', /adaptive cards/],
  ['pagerduty', 'https://events.pagerduty.com/v2/enqueue', null],
  ['pagerduty', 'https://events.eu.pagerduty.com/v2/enqueue', null],
  ['pagerduty', 'https://events.pagerduty.com/v2/change/enqueue', /Events are sent to/],
  ['pagerduty', 'https://proxy.example/x', /Events API v2/],
  ['discord', 'https://discord.com/api/webhooks/1/x', null],
  ['discord', 'https://discord.com/api/webhooks/1/x/slack', /Remove \/slack/],
  ['discord', 'https://discord.com/channels/1/2', /an ID and a token/],
  ['incidentio', 'https://api.incident.io/v2/alert_events/http/x', null],
  ['incidentio', 'https://app.incident.io/x', /alert source/],
  ['email', 'https://api.resend.com/emails', /Resend, but the message is that of Postmark/],
  ['email', 'https://api.postmarkapp.com/email', null],
  ['generic', 'https://anything.example/', null],
  ['slack', '', null],
] as const)('%s at %s: %s', (kind, url, warning) => {
  const said = addressWarning(kind, url, kind === 'email' ? bodyTemplates.email : '')
  if (warning === null) expect(said).toBeNull()
  else expect(said).toMatch(warning)
})
