import { expect, test } from 'vitest'
import { bodyTemplates } from '#domain/alerting/receivers/bodyTemplates.ts'
import { bodyHelp, missingVariables } from './bodyVariables.ts'

test('the help names the variables of the deployment', () => {
  expect(bodyHelp(true)).toBe(
    'Handlebars template with {{title}}, {{body}}, {{link}}, {{state}}, {{value}}, {{groupKey}} and {{eventId}}. Leave empty for the default message.',
  )
  const [exact] = bodyHelp(false).split('. Versions')
  expect(exact).toBe(
    'Handlebars template with {{title}}, {{body}}, {{link}}, {{state}}, {{startTime}}, {{endTime}} and {{eventId}}',
  )
})

test.each([
  ['{"t":"{{title}}","s":"{{#if (eq state "ALERT")}}a{{/if}}"}', null],
  ['value and note of {{title}}', null],
  ['{{value}}', '{{value}} is empty on'],
  [
    '{{{groupKey}}} {{#unless (eq thresholdMax undefined)}}x{{/unless}}',
    '{{groupKey}} and {{thresholdMax}} are empty on',
  ],
])('%s', (body, said) => {
  if (said === null) expect(missingVariables(body)).toBeNull()
  else expect(missingVariables(body)).toContain(said)
})

test('a ready body that needs more than the common variables is recognized', () => {
  expect(missingVariables(bodyTemplates.pagerduty ?? '')).not.toBeNull()
  expect(missingVariables(bodyTemplates.teams ?? '')).toBeNull()
})
