/** For tests: people with accounts on a test gateway. */
import { randomUUID } from 'node:crypto'
import type { PersonInput } from '#contract/console/people.ts'
import type { Reply, TestGateway } from './testGateway.ts'

export const testPassword = 'a-password-SEEDED-of-a-person'

interface Added {
  id: string
  email: string
  /** The secret of the invitation. */
  invitation: string
}

/** Adds somebody as the administrator of the console. */
export async function invite(gateway: TestGateway, input: Partial<PersonInput> = {}): Promise<Added> {
  const email = `${randomUUID()}@example.com`
  const body = { name: 'Person', email, role: 'viewer', ...input }
  const { status, text } = await gateway.call('POST', '/api/people', body)
  if (status !== 200) throw new Error(text)
  const { person, link } = JSON.parse(text) as { person: { id: string }; link: string } // `Invited`
  return { id: person.id, email: body.email, invitation: link.split('#invitation=')[1] ?? '' }
}

/** Adds somebody who accepts the invitation at once. `call` sends requests with their session. */
export async function signInAs(gateway: TestGateway, input: Partial<PersonInput> = {}) {
  const added = await invite(gateway, input)
  const proof = { invitation: added.invitation, password: testPassword }
  const entry = await gateway.call('POST', '/api/session', proof, { cookie: '' })
  if (entry.status !== 200) throw new Error(entry.text)
  const cookie = entry.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
    gateway.call(method, path, body, { cookie, ...headers })
  return { ...added, cookie, call }
}

export type SignedIn = Awaited<ReturnType<typeof signInAs>>

/**
 * A request of the page at http://localhost, where passkeys work.
 * @returns with `set`, the cookies of the response; `cookie` has those that are not deleted
 */
export async function callAtLocalhost(
  gateway: Pick<TestGateway, 'port' | 'own'>,
  request: { method: string; path: string; body: unknown; cookie: string },
) {
  const { method, path, body, cookie } = request
  const origin = `http://localhost:${gateway.port}`
  const response = await fetch(origin + path, {
    method,
    headers: { ...gateway.own, origin, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const set = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const json = (await response.json()) as Record<string, unknown> // each test reads what it expects
  return { status: response.status, json, cookie: set.filter((cookie) => !cookie.endsWith('=')).join('; '), set }
}
