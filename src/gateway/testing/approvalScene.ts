/** A connection with two-person approval, the people who ask and approve, and a deployment in memory behind a real socket. */
import { afterAll, beforeEach, expect } from 'vitest'
import type { AuditPage } from '#contract/console/audit.ts'
import { changeRequestHeader } from '#contract/console/changeRequestPaths.ts'
import type { ChangeRequestDetail, ChangeRequestDraft, ChangeRequestPage } from '#contract/console/changeRequests.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { startMemoryUpstream, type MemoryUpstream } from './memoryUpstream.ts'
import { generousBudgetsFor, secrets, startTestGateway, startUpstream, type Reply } from './testGateway.ts'
import { signInAs, type SignedIn } from './testPeople.ts'

export type Who = Pick<SignedIn, 'call'>

export const settings = '/api/connections/prod/approval'
export const searches = '/api/c/prod/stack/saved-searches'

/** A seeded connection to a deployment in memory. */
export const seed = (id: string, { url }: MemoryUpstream, stage: 'production' | 'staging') => ({
  id,
  name: id === 'prod' ? 'Production EU' : id,
  variant: 'openSource' as const,
  baseUrl: url,
  allowPrivate: true,
  accessKey: secrets.accessKey,
  stage,
})
/** The headers with which a form asks for approval. */
export const draft = (request: ChangeRequestDraft) => ({
  [changeRequestHeader]: encodeURIComponent(JSON.stringify(request)),
})

/** A saved search with this name. */
export const renamed = (name: string) => ({
  name,
  sourceId: 'source1',
  select: '',
  where: 'level:error',
  whereLanguage: 'lucene',
  orderBy: '',
  tags: [],
})

/** Starts all of it, until the tests of the file have ended. Each test begins with one saved search, and with approval switched on. */
export async function approvalScene() {
  const [source, target] = [await startMemoryUpstream('f'), await startMemoryUpstream('t')]
  const receiver = await startUpstream()
  let clock = 0
  const gateway = await startTestGateway(source, {
    seeds: [seed('from', source, 'staging'), seed('prod', target, 'production'), seed('twin', target, 'staging')],
    budgets: generousBudgetsFor(source.url, target.url),
    tuning: { noticeRetries: [20, 20], now: () => currentTime() + clock },
  })
  afterAll(async () => {
    await gateway.close()
    await Promise.all([source.close(), target.close(), receiver.close()])
  })

  const jana = await signInAs(gateway, { name: 'Jana Novak', role: 'operator' })
  const tom = await signInAs(gateway, { name: 'Tom Aldridge', role: 'operator' })
  const mira = await signInAs(gateway, { name: 'Mira Halvorsen', role: 'administrator' })
  const ada = await signInAs(gateway, { name: 'Ada Berg', role: 'administrator' })
  const priya = await signInAs(gateway, {
    name: 'Priya Nair',
    role: 'none',
    roles: { prod: 'viewer', from: 'operator' },
  })

  let searchId = ''
  beforeEach(async () => {
    clock = 0
    target.behaviour.before = async () => {}
    for (const { records } of [source, target]) for (const all of Object.values(records.records)) all.clear()
    searchId = String(Object(await target.records.create('savedSearches', renamed('Errors'))).id)
    await off()
    const on = await mira.call('PUT', settings, { twoPersonApproval: true, notificationUrl: null })
    expect(on.status, on.text).toBe(200)
  })

  /** Without asking anybody, as a test may. */
  async function off() {
    const glass = { reason: 'so that the next test starts without it', confirmedName: 'Production EU' }
    await mira.call('DELETE', '/api/connections/prod/break-glass')
    await mira.call('POST', '/api/connections/prod/break-glass', glass)
    await mira.call('PUT', settings, { twoPersonApproval: false, notificationUrl: null })
    await mira.call('DELETE', '/api/connections/prod/break-glass')
  }

  return {
    source,
    target,
    receiver,
    gateway,
    people: { jana, tom, mira, ada, priya },
    /** The ID of the saved search. */
    searchId: () => searchId,
    /** Sets the clock of the console ahead. @param milliseconds since the start of the test */
    setClock: (milliseconds: number) => {
      clock = milliseconds
    },
    off,
    stored: () => target.records.records.savedSearches.get(searchId),
    heldBy,
    ...requestsOf({ tom, mira, searchId: () => searchId }),
  }
}

/** The ID of the change request that a save was held as. */
function heldBy({ status, json, text }: Reply): string {
  expect(status, text).toBe(202)
  expect(json['code']).toBe('sentForApproval')
  return String(Object(json['held']).id)
}

/** Saves of the saved search, and the change requests that they become, as Tom and Mira see them by default. */
function requestsOf({ tom, mira, searchId }: { tom: Who; mira: Who; searchId: () => string }) {
  const save = (who: Who, name = 'All errors', request: ChangeRequestDraft = {}) =>
    who.call('PUT', `${searches}/${searchId()}`, renamed(name), draft(request))
  const get = async (id: string, who: Who = tom) =>
    (await who.call('GET', `/api/change-requests/${id}`)).json as unknown as ChangeRequestDetail
  const act = (who: Who, id: string, what: string, body: unknown = {}) =>
    who.call('POST', `/api/change-requests/${id}/${what}`, body)
  const approve = async (who: Who, id: string, digest?: string) =>
    act(who, id, 'approve', { digest: digest ?? (await get(id)).plan?.digest ?? 'none' })
  const ended = (id: string) =>
    expect
      .poll(async () => (await get(id)).state)
      .not.toMatch(/waiting|carryingOut/)
      .then(() => get(id))
  const list = async (who: Who, query = '') =>
    ((await who.call('GET', `/api/change-requests${query}`)).json as unknown as ChangeRequestPage).items
  const audit = async (query: string) => (await mira.call('GET', `/api/audit?${query}`)).json as unknown as AuditPage
  return { save, get, act, approve, ended, list, audit }
}
