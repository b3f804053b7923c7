/** Links of invitations to the team and to the organization, used again, late, elsewhere, and by several people at once. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { invitationRows, memberRows } from '../access/memberRows.ts'
import { joinOrganization, newInvitationToken } from '../access/organizationJoin.ts'
import { firstStart } from '../startup/firstStart.ts'
import type { Identity } from '../store/identity.ts'
import { openStore } from '../store/store.ts'
import { firstContent, startTestStack, type TestStack } from '../testing/testStack.ts'

const password = 'Correct-horse-7-battery'
const day = 86_400_000

interface Kind {
  page: string
  /** The fields of the form beside the token. */
  fields: Record<string, string>
  invite(stack: TestStack, email: string): Promise<{ id: string; url: string }>
  revoke(stack: TestStack, id: string): Promise<{ status: number }>
  /** The e-mail addresses of those who joined. */
  members(stack: TestStack): Promise<string[]>
  /** Makes an invitation as old as one that has expired. */
  age(stack: TestStack, id: string): Promise<void>
}

function organization(stack: TestStack, method: string, path: string, body?: unknown) {
  const { organizationId, keyId, keySecret } = stack.identity
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  return stack.send(method, `/v1/organizations/${organizationId}${path}`, { body, headers: { authorization } })
}

interface Listed {
  email: string
}
const emailsOf = (listed: Listed[]) =>
  listed.map(({ email }) => email).filter((email) => email.endsWith('@example.com'))

const team: Kind = {
  page: '/join-team',
  fields: { password, repeated: password },
  async invite(stack, email) {
    const { invitationId, url } = (await stack.openSource('POST', '/team/invitation', { email })).json.data
    return { id: invitationId, url }
  },
  revoke: (stack, id) => stack.openSource('DELETE', `/team/invitation/${id}`),
  members: async (stack) => emailsOf((await stack.openSource('GET', '/team/members')).json.data),
  async age({ store }, id) {
    const createdAt = new Date(currentTime() - 30 * day - 1).toISOString()
    await store.write(async ({ rows, run }) => {
      const [row] = await rows('SELECT document FROM invitations WHERE id = ?', [id])
      const document = { ...JSON.parse(String(row?.['document'])), createdAt }
      await run('UPDATE invitations SET document = ? WHERE id = ?', [JSON.stringify(document), id])
    })
  },
}

const organizationKind: Kind = {
  page: '/join-organization',
  fields: { name: 'Ada' },
  invite: async (stack, email) => (await organization(stack, 'POST', '/invitations', { email })).json.result,
  revoke: (stack, id) => organization(stack, 'DELETE', `/invitations/${id}`),
  members: async (stack) => emailsOf((await organization(stack, 'GET', '/members')).json.result),
  async age({ store }, id) {
    const expireAt = new Date(currentTime() - 1).toISOString()
    const invitation = await invitationRows.get(store, id)
    await store.write((transaction) => invitationRows.update(transaction, { ...invitation!, expireAt }))
  },
}

const stacks: TestStack[] = []
async function startStack(): Promise<TestStack> {
  const stack = await startTestStack()
  stacks.push(stack)
  return stack
}
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.close()
})

const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''

describe.each([
  ['team', team, organizationKind],
  ['organization', organizationKind, team],
])('an invitation to the %s', (_, kind, other) => {
  let stack: TestStack
  let id: string
  let token: string
  beforeEach(async () => {
    stack = await startStack()
    const invited = await kind.invite(stack, 'ada@example.com')
    ;[id, token] = [invited.id, tokenOf(invited.url)]
  })

  const submit = (at: TestStack, secret: string, { page, fields } = kind) =>
    at.send('POST', page, {
      body: new URLSearchParams({ token: secret, ...fields }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const opens = async (at: TestStack, secret: string, { page } = kind) =>
    (await at.send('GET', `${page}?token=${encodeURIComponent(secret)}`)).status

  async function isClosed(at: TestStack, secret = token, by = kind): Promise<void> {
    const before = await by.members(at)
    const reply = await submit(at, secret, by)
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('is not valid')])
    expect(await opens(at, secret, by)).toBe(404)
    expect(await by.members(at)).toEqual(before)
  }

  test('lets one of several people at once in, and nobody after', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => submit(stack, token)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
    expect(await kind.members(stack)).toEqual(['ada@example.com'])
    await isClosed(stack)
  })

  test('that was revoked, or has expired, lets nobody in', async () => {
    expect((await kind.revoke(stack, id)).status).toBe(200)
    await isClosed(stack)
    const next = await kind.invite(stack, 'ada@example.com')
    expect(tokenOf(next.url)).not.toBe(token)
    await isClosed(stack)
    await kind.age(stack, next.id)
    await isClosed(stack, tokenOf(next.url))
  })

  test('is revoked or used, never both', async () => {
    const [joined, revoked] = await Promise.all([submit(stack, token), kind.revoke(stack, id)])
    expect([joined.status === 200, revoked.status === 200].filter(Boolean)).toHaveLength(1)
    expect(await kind.members(stack)).toHaveLength(joined.status === 200 ? 1 : 0)
    await isClosed(stack)
  })

  test('opens neither the other page nor another deployment', async () => {
    await isClosed(stack, token, other)
    await isClosed(await startStack())
    expect((await submit(stack, token)).status).toBe(200)
  })

  test('is not found by what resembles its token', async () => {
    const last = token.at(-1) === '0' ? '1' : '0'
    const resembling = [
      token.slice(0, -1) + last,
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      `${token}\u0000`,
      token.toUpperCase(),
      '%',
      '_'.repeat(64),
      "' OR '1'='1",
      id,
      'null',
      '',
    ].filter((other) => other !== token)
    for (const secret of resembling) await isClosed(stack, secret)
    expect((await submit(stack, token)).status).toBe(200)
  })

  test('has its token once: a form that repeats it is refused', async () => {
    const body = new URLSearchParams([['token', token], ...Object.entries(kind.fields)]).toString()
    const headers = { 'content-type': 'application/json' }
    const asJson = await stack.send('POST', kind.page, { body: { token: [token], ...kind.fields }, headers })
    expect(asJson.status).toBeGreaterThanOrEqual(400)
    expect((await stack.send('GET', `${kind.page}?${body}&token=${token}`)).status).toBe(404)
    expect(await kind.members(stack)).toEqual([])
  })
})

test('an invitation to the organization lets one in where several stacks share its database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stack-invitations-'))
  const url = await newDatabase()
  const stores = [await openStore({ url, dataDir }), await openStore({ url, dataDir })]
  const identities: Identity[] = []
  for (const store of stores) identities.push(await firstStart(store, firstContent))
  const { token, tokenHash } = newInvitationToken()
  const invitation = { id: randomUUID(), email: 'eve@example.com', createdAt: '', expireAt: '2100-01-01T00:00:00Z' }
  await stores[0]!.write((queries) => invitationRows.insert(queries, { ...invitation, assignedRoleIds: [], tokenHash }))
  const joins = await Promise.allSettled(
    [0, 1, 0, 1].map((at) => joinOrganization(stores[at]!, identities[at]!, token, 'Eve')),
  )
  expect(joins.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  expect((await memberRows.all(stores[1]!)).filter(({ email }) => email === 'eve@example.com')).toHaveLength(1)
  for (const store of stores) await store.close()
  await rm(dataDir, { recursive: true, force: true })
})
