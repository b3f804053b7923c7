import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { webhook as webhookSchema, webhookInput, type Webhook } from '#contract/webhooks.ts'
import { changesOf, unseenLosses } from './changes.ts'
import {
  changedFields,
  emptyForm,
  formSchema,
  formatValue,
  isMoved,
  readForm,
  sameShown,
  showsAll,
  trialBody,
  withUrl,
  writeBody,
  type WebhookForm,
} from './webhookForm.ts'

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
])('a new webhook with %j is rejected at %j', (changes, paths) => {
  const form = { ...emptyForm, name: 'Team', url: 'https://hooks.example/', ...changes }
  expect(
    formSchema(null)
      .safeParse(form)
      .error?.issues.map((issue) => issue.path.join('.')) ?? [],
  ).toEqual(paths)
})

test('a read shows whether a lost save was applied, ignoring the date', () => {
  const base = read()
  const form = edited(base, { name: 'Other', headers: entered('X-Key') })
  expect(showsAll(form, base)).toBe(false)
  expect(showsAll(form, read({ name: 'Other' }))).toBe(true)
  expect(sameShown(base, read({ updatedAt: '2' }))).toBe(true)
  expect(sameShown(base, read({ description: 'd' }))).toBe(false)
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
