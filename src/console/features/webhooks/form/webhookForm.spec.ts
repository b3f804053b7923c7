import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { webhook as webhookSchema, webhookInput, type Webhook } from '#contract/stack/webhooks.ts'
import { emailGateways } from '#domain/alerting/receivers/emailGateways.ts'
import { keyHeader, routingKey, startOf, withGateway } from './receiverForm.ts'
import { changesOf, commandBody, formatValue, needsKeys, unseenLosses } from './changes.ts'
import {
  changedFields,
  emptyForm,
  isMoved,
  isReturned,
  readForm,
  sameShown,
  trialBody,
  withUrl,
  writeBody,
  type WebhookForm,
} from './webhookForm.ts'
import { formSchema, showsAll } from './webhookModel.ts'

const read = (more: object = {}): Webhook =>
  webhookSchema.parse({
    id: 'a',
    name: 'Team',
    service: 'generic',
    url: 'https://hooks.example/••••••••',
    updatedAt: '1',
    later: { a: 1 },
    ...more,
  })
const edited = (base: Webhook, changes: Partial<WebhookForm>): WebhookForm => ({ ...readForm(base), ...changes })
const entered = (...names: string[]) => ({ kept: false, pairs: names.map((name) => ({ name, value: `v-${name}` })) })

describe('edit', () => {
  test('keeps unchanged parts: the masked URL, no headers, unknown fields', () => {
    const body = writeBody(edited(read(), { name: 'Other' }), read())
    expect(body).toEqual({ name: 'Other', service: 'generic', url: 'https://hooks.example/••••••••', later: { a: 1 } })
  })

  test('without changes reports none', () => {
    const texts = fc.record(
      { description: fc.option(fc.string()), body: fc.option(fc.string()), url: fc.webUrl() },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('slack', 'generic', 'incidentio', 'later'), (more, service) => {
        const base = read({ ...more, service })
        expect(changedFields(readForm(base), base)).toEqual([])
        expect(changedFields(withUrl(readForm(base), base), base)).toEqual([])
        expect(isMoved(readForm(base), base)).toBe(false)
      }),
    )
  })

  test('sends entered headers, and an empty list to clear them', () => {
    const body = (headers: WebhookForm['headers']) => writeBody(edited(read(), { headers }), read())['headers']
    expect(body(entered('X-Key'))).toEqual({ 'X-Key': 'v-X-Key' })
    expect(body(entered())).toEqual({})
    expect(body({ kept: true, pairs: [] })).toBeUndefined()
  })

  test('to Slack sends nothing that Slack does not support', () => {
    const form = edited(read(), { service: 'slack', body: '{}', headers: entered('X-Key') })
    expect(webhookInput.safeParse(writeBody(form, read())).success).toBe(true)
  })
})

describe('what a save clears without an edit', () => {
  const titles = (base: Webhook, changes: Partial<WebhookForm>) =>
    unseenLosses(edited(base, changes), base).map((loss) => loss.title)

  test.each<[object, Partial<WebhookForm>, string[]]>([
    [{}, { name: 'Other' }, []],
    [{}, { url: 'https://elsewhere.example/' }, ['Headers', 'Query parameters']],
    [{}, { service: 'incidentio' }, ['Headers', 'Query parameters']],
    [{}, { url: 'https://elsewhere.example/', headers: entered('X-Key') }, ['Query parameters']],
    [{}, { url: ' https://hooks.example/•••••••• ' }, []],
    [{ service: 'slack' }, { service: 'generic' }, []],
    [{ service: 'incidentio' }, { name: 'Other' }, ['Body']],
    [{ service: 'incidentio' }, { name: 'Other', body: '{}' }, []],
  ])('%j, %j: %j', (more, changes, expected) => {
    expect(titles(read(more), changes)).toEqual(expected)
  })

  test('is listed in the review with the edited fields, without values of headers', () => {
    const base = read()
    const form = edited(base, { url: 'https://elsewhere.example/a/secret-token', headers: entered('X-Key') })
    const review = changesOf(form, base)
    expect(review.map((change) => change.title)).toEqual(['URL', 'Headers', 'Query parameters'])
    expect(JSON.stringify(review)).not.toMatch(/secret-token|v-X-Key/)
    expect(formatValue('headers', form)).toContain('X-Key')
  })
})

test.each<[Partial<WebhookForm>, string[]]>([
  [{}, []],
  [{ name: '  ' }, ['name']],
  [{ url: '' }, ['url']],
  [{ url: 'hooks.example' }, ['url']],
  [{ headers: entered('1st') }, ['headers.pairs.0.name']],
  [{ headers: entered('ok', 'not ok') }, ['headers.pairs.1.name']],
  [{ headers: { kept: false, pairs: [{ name: 'a', value: 'b\nc' }] } }, ['headers.pairs.0.name']],
  [{ queryParams: entered('a', 'a') }, ['queryParams.pairs.1.name']],
  [{ queryParams: entered('') }, ['queryParams.pairs.0.name']],
])('a new webhook with %j is rejected at %j', async (changes, paths) => {
  const form = { ...emptyForm, name: 'Team', url: 'https://hooks.example/', ...changes }
  const { error } = await formSchema(null).safeParseAsync(form)
  expect(error?.issues.map((issue) => issue.path.join('.')) ?? []).toEqual(paths)
})

test('a read shows whether a lost save was applied, ignoring the date', () => {
  const base = read()
  const form = edited(base, { name: 'Other', headers: entered('X-Key') })
  expect(showsAll(form, base)).toBe(false)
  expect(showsAll(form, read({ name: 'Other' }))).toBe(true)
  expect(sameShown(base, read({ updatedAt: '2' }))).toBe(true)
  expect(sameShown(base, read({ description: 'd' }))).toBe(false)
})

describe('the form of a receiver', () => {
  const key = 'R0123456789abcdef0123456789abcde'
  const mask = '••••••••'
  const pager = read({
    url: 'https://events.pagerduty.com/v2/enqueue',
    body: `{ "routing_key": "${mask}", "payload": {}, "later": {{value}} }`,
  })
  const problems = async (form: WebhookForm, base: Webhook | null) =>
    (await formSchema(base).safeParseAsync(form)).error?.issues.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    ) ?? []

  test('enters the key of PagerDuty into the body, and leaves a stored one as it is', () => {
    const { write, read: shown } = routingKey(pager)
    const body = pager.body ?? ''
    expect(shown(body)).toBe('')
    const entered = write(body, key)
    expect(entered).toBe(body.replace(mask, key))
    expect(shown(entered)).toBe(key)
    expect(write(entered, '')).toBe(body)
    expect(changedFields({ ...readForm(pager), body: write(entered, '') }, pager)).toEqual([])
    expect(trialBody(readForm(pager), pager)).toEqual({ webhookId: 'a', service: 'generic' })
  })

  test('shows no key in a review, a command or an undo', () => {
    const form = edited(pager, { body: routingKey(pager).write(pager.body ?? '', key) })
    const [review] = changesOf(form, pager)
    expect(review?.after).toContain('"routing_key": "(new key)"')
    expect(JSON.stringify([review, commandBody(form, pager)])).not.toContain(key)
    expect(isReturned('body', pager)).toBe(false)
    // The read after a lost response.
    expect(showsAll(form, pager)).toBe(true)
  })

  test('starts with what the receiver needs, and asks for it', async () => {
    const start = { ...emptyForm, name: 'Pager', ...startOf('pagerduty', null) }
    expect(start.url).toBe('https://events.pagerduty.com/v2/enqueue')
    expect(await problems(start, null)).toEqual(['body: Enter the integration key of the Events API v2 integration'])
    expect(await problems({ ...start, body: routingKey(null).write(start.body, key) }, null)).toEqual([])
    const mail = { ...emptyForm, name: 'Mail', ...startOf('email', null) }
    expect(await problems(mail, null)).toEqual([
      'body: Enter an email address, such as oncall@example.com',
      'body: Enter an email address, such as oncall@example.com',
      'headers: Enter the API key of the gateway, which is sent as X-Postmark-Server-Token',
    ])
  })

  test('does not question what is stored, and returns to it', async () => {
    const stored = read({ url: 'https://api.resend.com/emails', body: '{"from":"","to":[],"subject":"","text":""}' })
    expect(await problems(edited(stored, { name: 'Other' }), stored)).toEqual([])
    expect(startOf('email', stored)).toMatchObject({ url: '', body: stored.body, headers: { kept: true } })
    expect(startOf('slack', stored)).toMatchObject({ service: 'slack', url: '', body: '' })
  })

  test('sends a key as a header, in the place of stored ones', () => {
    const bearer = { name: 'Authorization', prefix: 'Bearer ' }
    const { write, read: shown } = keyHeader(bearer, pager)
    const kept = { kept: true, pairs: [] }
    const entered = write(kept, 'k')
    expect(entered).toEqual({ kept: false, pairs: [{ name: 'Authorization', value: 'Bearer k' }] })
    expect(shown(entered)).toBe('k')
    expect(write(entered, '')).toEqual(kept)
    expect(keyHeader(bearer, null).write({ kept: false, pairs: [] }, '')).toEqual({ kept: false, pairs: [] })
  })

  test('takes a key that was pasted with its prefix', () => {
    const { write, read: shown } = keyHeader({ name: 'Authorization', prefix: 'Bearer ' }, null)
    for (const pasted of ['Bearer abc', ' bearer  abc ', 'abc']) {
      const entered = write({ kept: false, pairs: [] }, pasted)
      expect(entered.pairs).toEqual([{ name: 'Authorization', value: 'Bearer abc' }])
      expect(shown(entered)).toBe('abc')
    }
    const plain = keyHeader({ name: 'X-Key', prefix: '' }, null)
    expect(plain.write({ kept: false, pairs: [] }, 'Bearer abc').pairs).toEqual([
      { name: 'X-Key', value: 'Bearer abc' },
    ])
  })

  test('asks for the key of PagerDuty again when the URL is another one', async () => {
    expect(await problems(edited(pager, { name: 'Other' }), pager)).toEqual([])
    const moved = edited(pager, { url: 'https://events.eu.pagerduty.com/v2/enqueue' })
    expect(await problems(moved, pager)).toEqual([expect.stringMatching(/^body: Enter the key in the body again/)])
    expect(await problems({ ...moved, body: routingKey(pager).write(moved.body, key) }, pager)).toEqual([])
  })

  test('asks for the key of an email gateway when another one takes its place', async () => {
    const [postmark, sendGrid] = emailGateways
    if (!postmark || !sendGrid) throw new Error('Two gateways are known')
    const body = postmark.body.replace('"From": ""', '"From": "a@b.c"').replace('"To": ""', '"To": "d@e.f"')
    const stored = read({ url: postmark.url, body })
    const moved = edited(stored, { url: sendGrid.url, body: withGateway(body, postmark, sendGrid) })
    expect(await problems(moved, stored)).toEqual([
      'headers: Enter the API key of the gateway, which is sent as Authorization',
    ])
    const headers = keyHeader(sendGrid.keyHeader, stored).write(moved.headers, 'SG.k')
    expect(await problems({ ...moved, headers }, stored)).toEqual([])
  })

  test('has no key in the command of a save, nor its mask, nor in the review', () => {
    const sent = (body: string) => {
      const form = edited(pager, { body })
      expect(needsKeys(form, pager)).toBe(true)
      return String(commandBody(form, pager)['body'])
    }
    expect(sent(pager.body ?? '')).toContain('"routing_key": "***"')
    const entered = routingKey(pager).write(pager.body ?? '', key)
    expect(sent(entered)).toContain('"routing_key": "***"')
    expect(JSON.stringify(changesOf(edited(pager, { body: entered }), pager))).not.toContain(key)
    expect(needsKeys(edited(read(), { name: 'Other' }), read())).toBe(false)
  })

  test('keeps the addresses when another gateway is chosen', () => {
    const [postmark, sendGrid] = emailGateways
    if (!postmark || !sendGrid) throw new Error('Two gateways are known')
    const body = postmark.body.replace('"From": ""', '"From": "a@b.c"').replace('"To": ""', '"To": "d@e.f, g@h.i"')
    expect(JSON.parse(withGateway(body, postmark, sendGrid))).toMatchObject({
      personalizations: [{ to: [{ email: 'd@e.f' }, { email: 'g@h.i' }] }],
      from: { email: 'a@b.c' },
    })
    expect(withGateway('{}', undefined, postmark)).toBe(postmark.body)
  })
})

test.each<[Partial<WebhookForm>, Webhook | null, object]>([
  [{ url: ' https://a.example ' }, null, { service: 'generic', url: 'https://a.example', body: null }],
  [{}, read(), { webhookId: 'a', service: 'generic', body: null }],
  [
    { url: 'https://b.example', body: '{}', headers: entered('X-Key'), queryParams: entered() },
    read(),
    {
      webhookId: 'a',
      service: 'generic',
      url: 'https://b.example',
      body: '{}',
      headers: { 'X-Key': 'v-X-Key' },
      queryParams: {},
    },
  ],
  [{ body: '{}', headers: entered('X-Key') }, read({ service: 'slack' }), { webhookId: 'a', service: 'slack' }],
])('a test of %j sends what is typed, and never a mask', (changes, base, body) => {
  const form = { ...(base ? readForm(base) : emptyForm), ...changes }
  expect(trialBody(form, base)).toEqual(body)
})
