import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

let stack: TestStack
let token: string
beforeEach(async () => {
  stack = await startTestStack()
  const invited = await organization('POST', '/invitations', { email: 'Ada@example.com', role: 'developer' })
  token = new URL(invited.json.result.url).searchParams.get('token') ?? ''
})
afterEach(() => stack.close())

function organization(method: string, path: string, body?: unknown) {
  const { organizationId, keyId, keySecret } = stack.identity
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  return stack.send(method, `/v1/organizations/${organizationId}${path}`, { body, headers: { authorization } })
}

const submit = (fields: Record<string, string>) =>
  stack.send('POST', '/join-organization', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

test('an invitation makes a member, once', async () => {
  const page = await stack.send('GET', `/join-organization?token=${token}`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('ada@example.com')
  expect(page.text).toContain('Members do not sign in to this stack.')
  const welcome = await submit({ token, name: '  <b>Ada</b> ' })
  expect([welcome.status, welcome.text]).toEqual([200, expect.stringContaining('&lt;b&gt;Ada&lt;/b&gt;')])

  const { result: members } = (await organization('GET', '/members')).json
  expect(members.at(-1)).toMatchObject({
    name: '<b>Ada</b>',
    email: 'ada@example.com',
    assignedRoles: [{ roleName: 'Developer' }],
  })
  expect((await organization('GET', '/invitations')).json.result).toEqual([])
  const { result: activities } = (await organization('GET', '/activities')).json
  expect(activities[0]).toMatchObject({ type: 'organization_member_join', actorType: 'user' })
  const again = await submit({ token, name: 'Eve' })
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('This invitation is not valid.')])
  expect((await stack.send('GET', `/join-organization?token=${token}`)).status).toBe(404)
})

test('two people at once with one link make one member', async () => {
  const answers = await Promise.all(['Ada', 'Eve', 'Bob'].map((name) => submit({ token, name })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  expect((await organization('GET', '/members')).json.result).toHaveLength(2)
})

test('the link is in the response of the invitation only, and ends with it', async () => {
  const [listed] = (await organization('GET', '/invitations')).json.result
  expect(Object.keys(listed)).not.toContain('url')
  expect(JSON.stringify(listed)).not.toMatch(/token/i)
  await organization('DELETE', `/invitations/${listed.id}`)
  expect((await submit({ token, name: 'Ada' })).status).toBe(400)
})

test.each([
  ['', 'Enter your name.'],
  ['   ', 'Enter your name.'],
  ['x'.repeat(101), 'A name has at most 100 characters.'],
])('the name %j is refused, and the invitation stays', async (name, reason) => {
  const refused = await submit({ token, name })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(reason)])
  expect(refused.text).toContain('<form')
  expect((await submit({ token, name: 'Ada' })).status).toBe(200)
})

test.each(['', 'x', 'a'.repeat(64), 'undefined'])('the token %j opens nothing', async (wrong) => {
  expect((await stack.send('GET', `/join-organization?token=${wrong}`)).status).toBe(404)
  expect((await submit({ token: wrong, name: 'Eve' })).status).toBe(400)
})
