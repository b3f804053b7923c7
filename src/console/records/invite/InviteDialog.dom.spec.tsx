import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectionsQuery } from '#console/api/connections.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { click, fill, fieldOf, renderPage, says, until } from '../record/testing/renderPage.tsx'
import { InviteDialog } from './InviteDialog.tsx'

const managed = { id: 'm1', name: 'Cloud', variant: 'managed' as const }
let asked: { path: string; body: unknown }[] = []
let failing = ''
let close: () => Promise<void> = async () => {}

/** A gateway that accepts every invitation but one. */
async function answer(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const path = String(input)
  if (path.endsWith('/session')) return Response.json({ signedIn: true })
  if (path.endsWith('/roles')) {
    const role = { id: 'r1', name: 'Billing', type: 'custom', tenantId: 't', ownerId: 'o', actors: [], policies: [] }
    return Response.json({ result: [role] })
  }
  if (init.method !== 'POST') return Response.json({ result: [] })
  const body: unknown = JSON.parse(String(init.body))
  asked.push({ path, body })
  if (failing && path.includes(failing))
    return Response.json({ code: 'upstreamFailed', status: 500, message: 'The team is away' }, { status: 500 })
  if (path.endsWith('/people'))
    return Response.json({
      person: { name: 'Ada' },
      link: 'https://console/#invitation=1',
      expiresAt: '2026-12-06T10:00Z',
    })
  if (path.includes('/team/'))
    return Response.json({ result: { email: 'ada@example.com', invitationId: 'i', url: 'https://team/join' } })
  return Response.json({ result: { id: 'i', email: 'ada@example.com' } })
}

function Page() {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <InviteDialog here="team" onClose={() => setOpen(false)} />
  return <button onClick={() => setOpen(true)}>Invite</button>
}

beforeEach(async () => {
  asked = []
  failing = ''
  vi.spyOn(globalThis, 'fetch').mockImplementation(answer)
  const page = await renderPage(Page)
  close = page.close
  const [known] = queryClient.getQueryData(connectionsQuery.queryKey) ?? []
  if (known) queryClient.setQueryData(connectionsQuery.queryKey, [known, { ...known, ...managed }])
  await click('Invite')
  await until(() => says('What the person needs'))
})
afterEach(() => close())

const check = async (place: RegExp) => {
  const box = await until(() =>
    [...document.querySelectorAll('label')]
      .find(({ textContent }) => place.test(textContent ?? ''))
      ?.querySelector('input'),
  )
  await act(async () => box.click())
}

test('one form invites to console, team and organization, and shows what came of each', async () => {
  await fill('E-mail', 'ada@example.com')
  await check(/^This console/)
  await check(/^Organization of Cloud/)
  await click('Create 3 invitations')
  await until(() => says('An account of the console needs a name'))
  expect(asked).toEqual([])
  await fill('Name', 'Ada')
  await check(/^Billing/)
  await click('Create 3 invitations')
  await until(() => says('The cloud sends the invitation to ada@example.com.'))
  expect(asked.map(({ body }) => body)).toEqual([
    { email: 'ada@example.com', name: 'Ada', role: 'viewer', roles: {} },
    { email: 'ada@example.com', name: 'Ada' },
    { email: 'ada@example.com', assignedRoleIds: ['r1'] },
  ])
  expect(fieldOf('Link to this console')?.value).toBe('https://console/#invitation=1')
  expect(fieldOf('Link to team of Local')?.value).toBe('https://team/join')
})

test('an invitation that fails keeps the others, and only it is tried again', async () => {
  failing = '/team/'
  await fill('E-mail', 'ada@example.com')
  await fill('Name', 'Ada')
  await check(/^This console/)
  await click('Create 2 invitations')
  await until(() => says('The team is away'))
  expect(fieldOf('Link to this console')?.value).toBe('https://console/#invitation=1')
  failing = ''
  await click('Try again')
  await until(() => fieldOf('Link to team of Local'))
  expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(['people', 'invitation', 'invitation'])
})

test('it needs at least one place', async () => {
  await fill('E-mail', 'ada@example.com')
  await check(/^Team of/)
  await click('Create invitation')
  await until(() => says('Choose what the person needs'))
  expect(asked).toEqual([])
})
