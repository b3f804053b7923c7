import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './queryClient.ts'
import { send, useSignedOut } from './send.ts'
import { acceptInvitation, currentSession, sessionQuery, signInWith, signOut } from './session.ts'
import { finishPasskeySignIn, finishProviderSignIn } from './gateway/signIn.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const session = (signedIn: boolean) => ({ signedIn, passwordOffered: true, build: 'test' })

/** Responses that wait until the test sends them, by method and path. */
const pending = new Map<string, (response: Response) => void>()
const respond = (request: string, body: unknown, status = 200) =>
  pending.get(request)?.(Response.json(body, { status }))

beforeEach(() => {
  // The specs of a worker share the client.
  queryClient.clear()
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    // Only `send` calls it here, with a path.
    (path, init) => new Promise((resolve) => pending.set(`${init?.method} ${path as string}`, resolve)),
  )
})
afterEach(() => {
  pending.clear()
  queryClient.clear()
})

const cached = () => queryClient.getQueryData(sessionQuery.queryKey)

const response = { clientDataJSON: '', authenticatorData: '', signature: '' }
const passkey = { id: 'a', rawId: 'a', type: 'public-key', response, clientExtensionResults: {} } as const

test.each([
  ['a link', () => signInWith({ token: 'once' })],
  ['a password', () => signInWith({ password: 'secret' })],
  ['an invitation', () => acceptInvitation({ invitation: 'once', password: 'long enough' })],
  ['a provider', () => finishProviderSignIn({ provider: 'corp', answer: '?code=a' })],
  ['a passkey', () => finishPasskeySignIn({ passkey })],
])('a sign-in with %s is kept although an earlier read of the session ends later', async (_way, signIn) => {
  const earlier = queryClient.fetchQuery(sessionQuery).catch(() => undefined)
  const started = signIn()
  await vi.waitFor(() => expect(pending.size).toBe(2), { timeout: 30_000 })
  respond('POST /api/session', session(true))
  await started
  respond('GET /api/session', session(false))
  await earlier
  await new Promise((later) => setTimeout(later))
  expect(cached()).toEqual(session(true))
})

test('a sign-in forgets what was read for somebody else', async () => {
  queryClient.setQueryData(['a', 'alerts', 'list', {}], ['of somebody else'])
  const started = signInWith({ password: 'secret' })
  await vi.waitFor(() => expect(pending.size).toBe(1), { timeout: 30_000 })
  respond('POST /api/session', session(true))
  await started
  expect(queryClient.getQueryData(['a', 'alerts', 'list', {}])).toBeUndefined()
})

test('the end of an earlier session does not count against the new one', async () => {
  const container = document.createElement('div')
  const root = createRoot(container)
  const Probe = () => (useSignedOut() ? 'signed out' : 'signed in')
  act(() => root.render(createElement(Probe)))
  const failed = { code: 'signedOut', status: 401, message: 'Your session has ended.' }
  const earlier = send('/api/earlier').catch(() => undefined)
  const started = signInWith({ password: 'secret' })
  await vi.waitFor(() => expect(pending.size).toBe(2), { timeout: 30_000 })
  respond('POST /api/session', session(true))
  await started
  await act(async () => {
    respond('GET /api/earlier', failed, 401)
    await earlier
  })
  expect(container.textContent).toBe('signed in')

  const later = send('/api/later').catch(() => undefined)
  await vi.waitFor(() => expect(pending.has('GET /api/later')).toBe(true), { timeout: 30_000 })
  await act(async () => {
    respond('GET /api/later', failed, 401)
    await later
  })
  expect(container.textContent).toBe('signed out')
  act(() => root.unmount())
})

test('a sign-out is kept although an earlier read of the session ends later', async () => {
  const earlier = queryClient.fetchQuery(sessionQuery).catch(() => undefined)
  const ended = signOut()
  await vi.waitFor(() => expect(pending.size).toBe(2), { timeout: 30_000 })
  respond('DELETE /api/session', session(false))
  await ended
  respond('GET /api/session', session(true))
  await earlier
  await new Promise((later) => setTimeout(later))
  expect(cached()).toBeUndefined()
})

test('a session that was read earlier may have ended: it is read again', async () => {
  queryClient.setQueryData(sessionQuery.queryKey, session(true))
  const present = currentSession()
  await vi.waitFor(() => expect(pending.size).toBe(1), { timeout: 30_000 })
  respond('GET /api/session', session(false))
  expect(await present).toEqual(session(false))
  expect(await currentSession()).toEqual(session(false))
})
