import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

const password = 'Correct-horse-7-battery'

let stack: TestStack
let token: string
beforeEach(async () => {
  stack = await startTestStack()
  const { json } = await stack.openSource('POST', '/team/invitation', { email: 'ada@example.com' })
  token = new URL(json.data.url).searchParams.get('token') ?? ''
})
afterEach(() => stack.close())

const submit = (fields: Record<string, string>) =>
  stack.send('POST', '/join-team', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test('an invitation leads to a form, and the form to a personal key', async () => {
  const page = await stack.send('GET', `/join-team?token=${token}`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('ada@example.com')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
  )

  const welcome = await submit({ token, password, repeated: password })
  expect(welcome.status).toBe(200)
  const key = /<code>([0-9a-f-]{36})<\/code>/.exec(welcome.text)?.[1] ?? ''
  const headers = { authorization: `Bearer ${key}` }
  expect((await stack.send('GET', '/api/v2/team', { headers })).status).toBe(200)

  const again = await submit({ token, password, repeated: password })
  expect([again.status, again.text.includes('is not valid')]).toEqual([400, true])
  expect((await stack.send('GET', `/join-team?token=${token}`)).status).toBe(404)
})

test.each([
  ['other passwords', { password, repeated: 'other' }, 'not the same'],
  ['a weak password', { password: 'weak', repeated: 'weak' }, 'The password must have'],
])('%s are refused with the form', async (_, fields, reason) => {
  const { status, text } = await submit({ token, ...fields })
  expect(status).toBe(400)
  expect(text).toContain(reason)
  expect(text).toContain('<form')
  expect(text).not.toContain(fields.password === password ? password : 'value="weak"')
})

test.each(['', '?token=', '?token=x', '?token=a&token=b', `?token=${'0'.repeat(64)}`])(
  'the query %j is no invitation',
  async (query) => {
    expect((await stack.send('GET', `/join-team${query}`)).status).toBe(404)
  },
)

test('a token is shown as text', async () => {
  const { text } = await submit({ token: '"><script>', password, repeated: password })
  expect(text).not.toContain('<script>')
})
