import { verify } from '@node-rs/argon2'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { invite, join } from '../../team/invitations.ts'
import { memberRows } from '../../team/members.ts'
import { startTestStack, type TestStack } from '../../testing/testStack.ts'

const password = 'Correct-horse-7-battery'

let stack: TestStack
beforeEach(async () => {
  stack = await startTestStack()
})
afterEach(() => stack.close())

const as = (key: string) => (method: string, path: string, body?: unknown) =>
  stack.send(method, `/api/v2${path}`, { body, headers: { authorization: `Bearer ${key}` } })

async function invited(email = 'Ada@Example.com') {
  const { json } = await stack.openSource('POST', '/team/invitation', { email, name: 'Ada' })
  return { ...json.data, token: new URL(json.data.url).searchParams.get('token') ?? '' } as {
    invitationId: string
    url: string
    token: string
  }
}

const joined = async (email?: string) => join(stack.store, (await invited(email)).token, password)

test('the team has a name that can be changed, and the account of the console', async () => {
  expect((await stack.openSource('GET', '/team')).json).toEqual({
    data: { id: stack.identity.teamId, name: 'Local team' },
  })
  expect((await stack.openSource('PATCH', '/team/name', { name: ' Shop ' })).json).toEqual({ data: { name: 'Shop' } })
  expect((await stack.openSource('GET', '/team')).json.data.name).toBe('Shop')
  const members = (await stack.openSource('GET', '/team/members')).json.data
  expect(members).toMatchObject([{ isCurrentUser: true, isOwner: true, email: 'console@localhost' }])
})

test.each([{}, { name: '' }, { name: 'x'.repeat(101) }])(
  'the name %j is refused as the router of teams does',
  async (body) => {
    const { status, json } = await stack.openSource('PATCH', '/team/name', body)
    expect(status).toBe(400)
    expect(json).toMatchObject([{ type: 'Body', errors: { name: 'ZodError', issues: [{ path: ['name'] }] } }])
  },
)

describe('invitations', () => {
  test('are made once for an e-mail address, listed with their link, and revoked', async () => {
    const first = await invited()
    expect(first).toMatchObject({ email: 'ada@example.com', status: 'pending' })
    expect(first.url).toMatch(/^http:\/\/console\.test\/join-team\?token=[0-9a-f]{64}$/)
    expect(await invited('ADA@example.com')).toEqual(first)
    const list = (await stack.openSource('GET', '/team/invitations')).json.data
    expect(list).toMatchObject([{ id: first.invitationId, email: 'ada@example.com', name: 'Ada', url: first.url }])

    const path = `/team/invitation/${first.invitationId}`
    expect((await stack.openSource('DELETE', path)).json).toEqual({ data: { success: true } })
    const again = await stack.openSource('DELETE', path)
    expect([again.status, again.text]).toEqual([404, 'Not Found'])
    await expect(join(stack.store, first.token, password)).rejects.toThrow('is not valid')
  })

  test('are at most 500 at once, and those that expired make room', async () => {
    const longAgo = currentTime() - 30 * 24 * 3_600_000
    await stack.store.write(async (queries) => {
      for (let at = 0; at < 500; at++) {
        await invite(queries, { email: `${at}@example.com` }, at === 0 ? longAgo : undefined)
      }
    })
    expect(await invited('last@example.com')).toMatchObject({ email: 'last@example.com' })
    const { status, json } = await stack.openSource('POST', '/team/invitation', { email: 'more@example.com' })
    expect([status, json.message]).toEqual([400, expect.stringContaining('at most 500 open invitations')])
    expect(await invited('1@example.com')).toMatchObject({ email: '1@example.com' })
  })

  test('of members are refused', async () => {
    await joined()
    const { status, json } = await stack.openSource('POST', '/team/invitation', { email: 'ada@example.com' })
    expect([status, json.message]).toEqual([400, 'User already exists'])
  })

  test('expire after 30 days', async () => {
    const { token } = await invited()
    const later = currentTime() + 30 * 24 * 3_600_000
    await expect(join(stack.store, token, password, later)).rejects.toThrow('is not valid')
  })

  test.each([
    'short-A1',
    'no-upper-case-1',
    'NO-LOWER-CASE-1',
    'No-digits-at-all',
    'NoSpecial12345',
    `A-1${'a'.repeat(70)}`,
  ])('are not used up by the weak password %s', async (weak) => {
    const { token } = await invited()
    await expect(join(stack.store, token, weak)).rejects.toThrow('The password must have')
    expect((await join(stack.store, token, password)).email).toBe('ada@example.com')
  })

  test('are used once by joins at the same time', async () => {
    const { token } = await invited()
    const joins = await Promise.allSettled(Array.from({ length: 8 }, () => join(stack.store, token, password)))
    expect(joins.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await memberRows.count(stack.store)).toBe(2)
  })

  test('never lose to their own revocation: either the member exists or the invitation did', async () => {
    const { token, invitationId } = await invited()
    const [member, revoked] = await Promise.allSettled([
      join(stack.store, token, password),
      stack.openSource('DELETE', `/team/invitation/${invitationId}`),
    ])
    const deleted = revoked.status === 'fulfilled' && revoked.value.status === 200
    expect(member.status === 'fulfilled').toBe(!deleted)
  })
})

describe('members', () => {
  test('have a key of their own and a password that is stored as an argon2id hash', async () => {
    const ada = await joined()
    const own = as(ada.accessKey)
    const members = (await own('GET', '/team/members')).json.data
    expect(members.map((member: { isCurrentUser: boolean }) => member.isCurrentUser)).toEqual([false, true])
    expect(ada.passwordHash).toMatch(/^\$argon2id\$/)
    expect(await verify(ada.passwordHash ?? '', password)).toBe(true)
    const [row] = await stack.store.rows('SELECT * FROM members WHERE id = ?', [ada.id])
    for (const secret of [ada.accessKey, ada.passwordHash ?? '', password])
      expect(JSON.stringify(row)).not.toContain(secret)
  })

  test('lose their key at once when they are removed, and their alerts get the caller as author', async () => {
    const ada = await joined()
    const own = as(ada.accessKey)
    const dashboard = (await own('POST', '/dashboards', { name: 'D', tiles: [tile(stack)] })).json.data
    const made = await own('POST', '/alerts', {
      source: 'tile',
      dashboardId: dashboard.id,
      tileId: dashboard.tiles[0].id,
      interval: '5m',
      threshold: 1,
      thresholdType: 'above',
      channel: { type: 'webhook', webhookId: stack.webhookId },
    })
    expect(made.status).toBe(200)
    expect(await authorOf(made.json.data.id)).toBe(ada.id)
    expect((await stack.openSource('DELETE', `/team/member/${ada.id}`)).json).toEqual({ data: { success: true } })
    expect([(await own('GET', '/team')).status, (await own('GET', '/alerts')).status]).toEqual([401, 401])
    const [caller] = await memberRows.all(stack.store)
    expect(await authorOf(made.json.data.id)).toBe(caller?.id)
    expect((await stack.openSource('DELETE', `/team/member/${ada.id}`)).status).toBe(404)
  })

  const authorOf = async (alertId: string) =>
    (await stack.store.rows('SELECT created_by FROM alerts WHERE id = ?', [alertId]))[0]?.['created_by']

  test('remove neither themselves nor the account of the console', async () => {
    const ada = await joined()
    const [owner] = await memberRows.all(stack.store)
    const self = await as(ada.accessKey)('DELETE', `/team/member/${ada.id}`)
    expect([self.status, self.json]).toEqual([400, { message: 'You cannot remove yourself from the team' }])
    expect((await as(ada.accessKey)('DELETE', `/team/member/${owner?.id}`)).status).toBe(400)
  })

  test('that remove each other at the same time do not both succeed', async () => {
    const [ada, bob] = [await joined('ada@example.com'), await joined('bob@example.com')]
    const removals = await Promise.all([
      as(ada.accessKey)('DELETE', `/team/member/${bob.id}`),
      as(bob.accessKey)('DELETE', `/team/member/${ada.id}`),
    ])
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})

describe('personal keys', () => {
  test('are shown, and rotated with the old one refused at once', async () => {
    const ada = await joined()
    const state = (await as(ada.accessKey)('GET', '/team/keys')).json.data
    expect(state.access).toMatchObject({ end: ada.accessKey.slice(-4) })
    expect(JSON.stringify(state)).not.toContain(ada.accessKey)
    expect((await as(ada.accessKey)('POST', '/team/access-key/show')).json.data).toEqual({ accessKey: ada.accessKey })

    const rotated = await as(ada.accessKey)('POST', '/team/access-key/rotate', { keyId: state.access.id })
    const { newAccessKey } = rotated.json.data
    expect((await as(ada.accessKey)('GET', '/team')).status).toBe(401)
    expect((await as(newAccessKey)('POST', '/team/access-key/show')).json.data).toEqual({ accessKey: newAccessKey })
    expect((await stack.openSource('GET', '/team')).status).toBe(200)
    const late = await as(newAccessKey)('POST', '/team/access-key/rotate', { keyId: state.access.id })
    expect(late.status).toBe(409)
  })

  test('rotated twice at once are rotated once', async () => {
    const ada = await joined()
    const both = await Promise.all([1, 2, 3].map(() => as(ada.accessKey)('POST', '/team/access-key/rotate', {})))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    const winner = both.find(({ status }) => status === 200)
    expect((await as(winner?.json.data.newAccessKey)('GET', '/team')).status).toBe(200)
  })

  test('are not ingestion keys, and cannot be read by the managed variant', async () => {
    expect((await as(stack.identity.ingestionKey)('GET', '/team')).status).toBe(401)
    expect((await stack.managed('GET', '/team/keys')).status).toBe(404)
  })
})

describe('ingestion keys', () => {
  const keys = async () => (await stack.openSource('GET', '/team/keys')).json.data.ingestion
  const rotate = (body: object) => stack.openSource('POST', '/team/ingestion-key/rotate', body)

  test('are rotated with an overlap, which can be ended', async () => {
    const first = await keys()
    expect((await stack.openSource('POST', '/team/ingestion-key/show')).json.data).toEqual({
      apiKey: stack.identity.ingestionKey,
    })
    const { newApiKey } = (await rotate({ keyId: first.id, overlapMinutes: 60 })).json.data
    expect(await keys()).toMatchObject({
      end: newApiKey.slice(-4),
      previous: [{ id: first.id, end: first.end, validUntil: expect.any(String) }],
    })
    await rotate({ overlapMinutes: 0 })
    expect((await keys()).previous).toMatchObject([{ id: first.id }])
    await stack.openSource('POST', '/team/ingestion-key/end-overlap')
    expect((await keys()).previous).toEqual([])
  })

  test('rotated twice at once are rotated once', async () => {
    const { id } = await keys()
    const both = await Promise.all([1, 2].map(() => rotate({ keyId: id, overlapMinutes: 0 })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test.each([-1, 0.5, 43_201, undefined])('with an overlap of %s minutes are refused', async (overlapMinutes) => {
    expect((await rotate({ overlapMinutes })).status).toBe(400)
  })

  test('have at most ten predecessors at the same time', async () => {
    for (let count = 0; count < 10; count += 1) expect((await rotate({ overlapMinutes: 1 })).status).toBe(200)
    expect((await rotate({ overlapMinutes: 1 })).status).toBe(400)
    expect((await rotate({ overlapMinutes: 0 })).status).toBe(200)
  })
})

function tile({ sourceIds }: TestStack) {
  const config = { displayType: 'line', sourceId: sourceIds['log'], select: [{ aggFn: 'count' }] }
  return { name: 't', x: 0, y: 0, w: 1, h: 1, config }
}
