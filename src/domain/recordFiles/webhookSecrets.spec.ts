import { expect, test } from 'vitest'
import { variablesOf, withStoredSecrets, withVariables } from './webhookSecrets.ts'

const body = (...keys: string[]) => keys.map((key) => `{"routing_key": "${key}", "later": {{value}} }`).join('{{else}}')
const stored = { id: 'w1', name: 'On call', service: 'generic', url: 'https://a.example/x', body: body('R-1') }
const none = () => undefined

test('a file has variables in place of the URL and the key, which become what is stored', () => {
  const file = withVariables(stored)
  expect(file).toEqual({
    ...stored,
    url: '${STACK_WEBHOOK_URL_ON_CALL}',
    body: body('${STACK_WEBHOOK_ROUTING_KEY_ON_CALL}'),
  })
  expect(withVariables(file)).toEqual(file)
  expect(withStoredSecrets(file, stored, none)).toEqual({ record: stored, needed: [] })
  const renamed = { ...file, name: 'On call EU' }
  expect(withStoredSecrets(renamed, { ...stored, name: 'On call EU' }, none).record['body']).toBe(stored.body)
})

test('several keys of a field have variables of their own', () => {
  const two = { ...stored, body: body('R-1', 'R-2', 'R-1') }
  const file = withVariables(two)
  expect(variablesOf(file).map(({ variable }) => variable)).toEqual([
    'STACK_WEBHOOK_URL_ON_CALL',
    'STACK_WEBHOOK_ROUTING_KEY_ON_CALL',
    'STACK_WEBHOOK_ROUTING_KEY_ON_CALL_2',
  ])
  expect(withStoredSecrets(file, two, none)).toEqual({ record: two, needed: [] })
})

test.each([
  ['another URL', { url: 'https://elsewhere.example' }],
  ['another service', { service: 'incidentio' }],
])('a stored key is not for %s, a given one is', (_, changes) => {
  const file = { ...withVariables(stored), ...changes }
  const { record, needed } = withStoredSecrets(file, stored, none)
  expect(JSON.stringify(record)).not.toContain('R-1')
  expect(needed).toEqual([{ variable: 'STACK_WEBHOOK_ROUTING_KEY_ON_CALL', of: 'routingKey', isKnown: false }])
  const given = withStoredSecrets(file, stored, ({ of }) => (of === 'routingKey' ? 'R-"2' : undefined))
  expect(given.record['body']).toBe(body(String.raw`R-\"2`))
  expect(given.needed).toMatchObject([{ isKnown: true }])
})

test('the URL that somebody gives is another one too', () => {
  const { record } = withStoredSecrets(withVariables(stored), stored, ({ of }) =>
    of === 'url' ? 'https://elsewhere.example' : undefined,
  )
  expect(JSON.stringify(record)).not.toContain('R-1')
})
