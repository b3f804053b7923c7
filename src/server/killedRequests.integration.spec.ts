/** `kill -9` while an approved change request is carried out: what it says afterwards is what the deployment has. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import type { HeldChange } from '#contract/wire/kernel.ts'
import type { Started, TargetPlan } from '#contract/console/runs.ts'
import { startEnvironments } from './testing/environments.ts'
import { startKillable, type KillableGateway } from './testing/killableGateway.ts'

const environments = await startEnvironments()
const { order, production, staging } = environments
const own = { ...order, dataDir: `${order.dataDir}-killed` }
const password = 'a-password-of-this-test'
let gateway = await startKillable(own)
afterAll(async () => {
  await gateway.kill()
  await environments.close()
})

interface Person {
  email: string
}

/** Somebody who may write everywhere, with a password. */
async function add(name: string): Promise<Person> {
  const email = `${name}@example.com`
  const { link } = await gateway.call<{ link: string }>('POST', '/api/people', { name, email, role: 'administrator' })
  const invitation = link.split('#invitation=')[1]
  await gateway.call('POST', '/api/session', { invitation, password }, { cookie: '' })
  return { email }
}

/** The session cookie of a person: their sessions outlive the process. */
async function signIn({ email }: Person, { address }: KillableGateway): Promise<Record<string, string>> {
  const response = await fetch(`${address}/api/session`, {
    method: 'POST',
    headers: { 'x-stack-console': '1', origin: address, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

const jana = await add('jana')
const tom = await add('tom')
await gateway.call('PUT', '/api/connections/production/approval', { twoPersonApproval: true })

const draft = (given: object) => ({ [changeRequestHeader]: encodeURIComponent(JSON.stringify(given)) })
const requestPath = (id: string) => `/api/change-requests/${id}`

/** Approves a request, kills the gateway at a moment, and waits until another one knows what came of it. */
async function throughKill(id: string, moment: () => Promise<unknown>): Promise<ChangeRequestDetail> {
  const approver = await signIn(tom, gateway)
  const { plan } = await gateway.call<ChangeRequestDetail>('GET', requestPath(id))
  const approving = gateway
    .call('POST', `${requestPath(id)}/approve`, { digest: plan?.digest }, approver)
    .catch(() => {})
  await Promise.race([moment(), approving.then(() => sleep(2_000))])
  await gateway.kill()
  await approving
  gateway = await startKillable(own)
  for (;;) {
    const found = await gateway.call<ChangeRequestDetail>('GET', requestPath(id))
    if (found.state !== 'carryingOut') return found
    await sleep(50)
  }
}

async function webhookNames(): Promise<string[]> {
  const { json } = await production.openSource('GET', '/webhooks')
  return (json.data as { name: string }[]).map(({ name }) => name)
}

/** Returns once the deployment has some of the webhooks. */
async function stored(names: readonly string[], count: number): Promise<void> {
  while ((await webhookNames()).filter((name) => names.includes(name)).length < count) await sleep(1)
}

test('single changes: each is done, or was not sent, or is said to be unknown', { timeout: 120_000 }, async () => {
  let cut = 0
  for (let round = 0; round < 4; round++) {
    const asker = await signIn(jana, gateway)
    let held: HeldChange | undefined
    const names = Array.from({ length: 12 }, (_, at) => `Hook ${round}.${at}`)
    for (const name of names) {
      const body = { name, service: 'generic', url: `https://hooks.example.com/${round}` }
      const headers = { ...asker, ...draft(held ? { addTo: held.id } : {}) }
      ;({ held } = await gateway.call<{ held: HeldChange }>('POST', '/api/c/production/stack/webhooks', body, headers))
    }
    const found = await throughKill(held?.id ?? '', () => stored(names, 1 + round * 2))
    const there = await webhookNames()
    expect(new Set(there).size, 'nothing is doubled').toBe(there.length)
    if (found.state === 'waiting') {
      // Killed before the approval was stored: nothing was sent.
      expect(there.filter((name) => names.includes(name))).toEqual([])
      continue
    }
    for (const { key, state } of found.outcomes) {
      const name = found.approved?.changes.find((change) => change.key === key)?.name ?? ''
      if (state === 'done') expect(there, JSON.stringify(found.outcomes)).toContain(name)
      else if (state === 'unknown') continue
      else expect(there, JSON.stringify(found.outcomes)).not.toContain(name)
    }
    expect(found.outcomes).toHaveLength(names.length)
    if (found.state === 'carriedOutWithFailures') cut += 1
  }
  expect(cut, 'kills within a request').toBeGreaterThan(0)
})

test('a run is interrupted, and carries out the rest when it is resumed', { timeout: 120_000 }, async () => {
  const ids: string[] = []
  for (let at = 0; at < 12; at++) {
    const { json } = await staging.openSource('POST', '/dashboards', { name: `Board ${at}`, tiles: [] })
    ids.push(json.data.id)
  }
  const asker = await signIn(jana, gateway)
  const input = {
    from: 'staging',
    records: ids.map((id) => ({ kind: 'dashboards', id })),
    targets: [{ connectionId: 'production' }],
  }
  const { targets } = await gateway.call<{ targets: TargetPlan[] }>('POST', '/api/promotions/plan', input, asker)
  const start = { ...input, digests: { production: targets[0]?.digest } }
  const { held } = await gateway.call<Started>('POST', '/api/promotions', start, asker)
  const id = held[0]?.id ?? ''
  const begun = async () => {
    while (!JSON.stringify((await production.openSource('GET', '/dashboards')).json).includes('Board')) await sleep(1)
  }
  let found = await throughKill(id, begun)
  const again = await signIn(jana, gateway)
  for (let tries = 0; found.state !== 'carriedOut' && tries < 200; tries++) {
    if (found.state === 'carriedOutWithFailures') {
      await gateway.call('POST', `/api/runs/${found.runId}/resume`, {}, again).catch(() => {})
    }
    await sleep(50)
    found = await gateway.call<ChangeRequestDetail>('GET', requestPath(id))
  }
  expect(found.state).toBe('carriedOut')
  const { json } = await production.openSource('GET', '/dashboards')
  const names = (json.data as { name: string }[]).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('Board')).toSorted()).toEqual(
    ids.map((_, at) => `Board ${at}`).toSorted(),
  )
})
