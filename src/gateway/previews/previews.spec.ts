/** Previews of notifications: rendered by the gateway, for every deployment. */
import { beforeEach, expect, test } from 'vitest'
import { gatewayForTests, secrets } from '../testing/testGateway.ts'
import { signInAs } from '../testing/testPeople.ts'

const { gateway, upstream } = await gatewayForTests()
beforeEach(() => void upstream.hits.splice(0))

const path = '/api/c/oss/notification-preview'
const preview = (body: unknown) => gateway.call('POST', path, body)
const generic = (body?: string) => ({ service: 'generic', ...(body !== undefined && { body }) })
const alert = {
  name: '{{attributes.service}} at {{value}}',
  message: 'Look at {{dashboard.name}}',
  threshold: 5,
  thresholdType: 'above',
  interval: '5m',
  source: 'tile',
  dashboardId: 'f'.repeat(24),
  tileId: 'tile',
}
const watched = { name: 'Errors', dashboard: 'Shop' }

test('of a body has sample values', async () => {
  const { status, json } = await preview({ webhook: generic('{"t":"{{title}}","g":"{{groupKey}}","v":{{value}} }') })
  expect(status).toBe(200)
  expect(json).toEqual({
    title: '🚨 Alert for "Errors" in "Shop" - 12 meets or exceeds 10',
    message: expect.stringContaining('Group: "service:checkout"'),
    link: expect.stringContaining(`${gateway.address}/dashboards/test-dashboard-id?`),
    payload: '{"t":"🚨 Alert for \\"Errors\\" in \\"Shop\\" - 12 meets or exceeds 10","g":"service:checkout","v":12 }',
    problems: [],
  })
  expect(upstream.hits).toEqual([])
})

test('of an alert has its names, value and group', async () => {
  const { json } = await preview({
    webhook: generic(),
    event: { alert, watched, value: 7.25, group: { service: 'cart' } },
  })
  expect(json).toMatchObject({
    title: '🚨 cart at 7.25',
    message: expect.stringMatching(/^Group: "service:cart"\n7 meets or exceeds 5\nTime Range.*\nLook at Shop$/),
    problems: [],
  })
  expect(JSON.parse(String(json['payload'])).text).toContain('cart at 7.25')
})

test('of an alert without a value shows the threshold', async () => {
  const { json } = await preview({ webhook: generic('{{value}}'), event: { alert, watched } })
  expect(json['payload']).toBe('5')
})

test('says what is wrong with a body', async () => {
  const { json } = await preview({ webhook: generic('{{#each}}') })
  expect(json).toMatchObject({ payload: null, problems: [expect.stringMatching(/^Body template: /)] })
})

test('ends templates that never end, and does not delay other requests meanwhile', async () => {
  const slow = `${'{{#each @root}}'.repeat(4)}${'{{x}}'.repeat(3000)}${'{{/each}}'.repeat(4)}`
  const rendered = preview({ webhook: generic(slow) }).then(({ json }) => ['rendered', json] as const)
  const list = gateway.call('GET', '/api/connections').then(({ status }) => ['list', status] as const)
  expect(await Promise.race([rendered, list])).toEqual(['list', 200])
  const [, json] = await rendered
  expect(json).toMatchObject({ payload: null, problems: [expect.stringMatching(/takes too long|rendered more than/)] })
})

test.each([
  ['a body that is too long', { webhook: generic('x'.repeat(20_000)) }, 'webhook.body'],
  ['no webhook', { event: { alert, watched } }, 'webhook'],
  [
    'an alert without a threshold',
    { webhook: generic(), event: { alert: { ...alert, threshold: 'x' }, watched } },
    'event.alert.threshold',
  ],
])('refuses %s, and names the field', async (_, body, field) => {
  const { status, json } = await preview(body)
  expect(status).toBe(422)
  expect(json['fields']).toEqual([expect.objectContaining({ path: field })])
})

test('needs the right to change the alerts of the connection', async () => {
  for (const [role, expected] of [
    ['viewer', 403],
    ['editor', 200],
  ] as const) {
    const person = await signInAs(gateway, { role: 'none', roles: { managed: role } })
    const body = { webhook: generic() }
    expect((await person.call('POST', '/api/c/managed/notification-preview', body)).status).toBe(expected)
    expect((await person.call('POST', path, body)).status).toBe(404)
  }
})

test('needs a session, and reveals no secret', async () => {
  const response = await fetch(gateway.address + path, {
    method: 'POST',
    headers: { ...gateway.own, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook: generic() }),
  })
  expect(response.status).toBe(401)
  const { text } = await preview({ webhook: generic('{{#each @root}}{{@key}}={{this}} {{/each}}') })
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
})
