/**
 * Features that last until a time or begin at one, in a product whose clock is set: sign-in with a provider, break-glass, tokens, keys
 * and invitations that expire, rate limits, snapshots of the history, and the retention of telemetry.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { breakGlassMinutes } from '../src/contract/console/changeRequestPaths.ts'
import { startMemoryUpstream } from '../src/gateway/testing/memoryUpstream.ts'
import { stepHoldTime } from '../src/node/clock/wallClock.ts'
import { ProviderBrowser } from '../src/node/testing/testProvider.ts'
import type { ProductCalls } from './processes/productCalls.ts'
import { requestsPerMinute, type SteppedProduct } from './steppedProduct.ts'

export interface ClockWaits {
  /** Features that fail, or still work, by the time on the clock. */
  check(): Promise<string[]>
  /** Features that fail while the clock is wrong for a moment, which must change nothing. */
  checkDuringStep(): Promise<string[]>
  close(): Promise<void>
}

/** Something that works until a time, epoch milliseconds. */
interface Expiring {
  name: string
  until: number
  /** The status of a use, 200 as long as it works. */
  use: () => Promise<number>
}

interface People {
  /** Cookies of sessions. */
  administrator: string
  editor: string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** Milliseconds around an end at which both answers are right. */
const tolerance = 3 * minute
/**
 * Milliseconds for a snapshot: a step back is adopted, the interval of five minutes begins, its end is looked for once a minute,
 * and other background work is under way.
 */
const snapshotTime = stepHoldTime + 8 * minute

export async function clockWaits(
  product: SteppedProduct,
  calls: ProductCalls,
  { administrator, editor }: People,
): Promise<ClockWaits> {
  const { provider, wall, ports } = product
  const { call, done, stack, organization, managed, ofConsole } = calls
  const asAdministrator = { cookie: administrator }
  const asEditor = { cookie: editor }

  const expiring: Expiring[] = []
  const newToken = { name: 'a day', role: 'viewer', connections: null, days: 1 }
  const { json: token } = await done(ofConsole('POST', '/api/account/tokens', asEditor, newToken))
  expiring.push({
    name: 'a personal token for a day',
    until: wall() + day,
    use: async () => {
      const headers = { authorization: `Bearer ${token.secret}` }
      return (await ofConsole('GET', '/api/c/local-open-source/stack/alerts', headers)).status
    },
  })
  const keyUntil = wall() + 20 * hour
  const key = await managed('POST', '/keys', {
    name: 'soak',
    expireAt: new Date(keyUntil).toISOString(),
    roles: ['admin'],
  })
  expiring.push({
    name: 'a key of the organization for 20 hours',
    until: keyUntil,
    use: async () => (await organization('GET', '/services', undefined, [key.keyId, key.keySecret])).status,
  })
  const { url: joinUrl } = await stack('POST', '/team/invitation', { email: 'team@example.com', name: 'Team' })
  expiring.push({
    name: 'an invitation to the team',
    until: wall() + 30 * day,
    use: async () => {
      const { pathname, search } = new URL(joinUrl)
      return (await fetch(`http://127.0.0.1:${ports.api}${pathname}${search}`)).status
    },
  })

  // Two-person approval on another deployment, and a break-glass of the editor.
  const elsewhere = await startMemoryUpstream('b')
  const place = { variant: 'openSource', baseUrl: elsewhere.url, allowPrivate: true, accessKey: 'none' }
  const protectedOne = { name: 'Elsewhere', stage: 'staging', ...place }
  const { json: added } = await done(ofConsole('POST', '/api/connections', asAdministrator, protectedOne))
  const fromConsole = `/api/connections/${added.id}`
  await done(
    ofConsole('PUT', `${fromConsole}/approval`, asAdministrator, { twoPersonApproval: true, notificationUrl: null }),
  )
  const connection = async () => {
    const { json } = await done(ofConsole('GET', '/api/connections', asEditor))
    const list: { id: string; breakGlass?: { endsAt: string } }[] = json.connections ?? json
    return list.find(({ id }) => id === added.id)
  }
  let glassUntil = 0
  async function breakGlass(): Promise<void> {
    const reason = 'The clock is being set'
    await done(ofConsole('POST', `${fromConsole}/break-glass`, asEditor, { reason, confirmedName: protectedOne.name }))
    glassUntil = wall() + breakGlassMinutes * minute
  }

  await done(ofConsole('PUT', '/api/connections/local-open-source/history/settings', asEditor, { snapshotMinutes: 5 }))
  // Differences from here on are changes.
  await done(ofConsole('POST', '/api/connections/local-open-source/history/snapshot', asEditor, {}))
  let changes = 0
  /** A record that somebody else makes, and nobody reads through the console. */
  let unseen = { name: '', madeAt: 0 }
  async function changeOutside(): Promise<void> {
    unseen = { name: `Outside ${++changes}`, madeAt: performance.now() }
    await stack('POST', '/dashboards', { name: unseen.name, tiles: [] })
  }

  async function snapshotFaults(): Promise<string[]> {
    for (;;) {
      const path = '/api/connections/local-open-source/history?cause=outside&limit=500'
      const { json } = await done(ofConsole('GET', path, asEditor))
      if (json.items.some((change: { name: string }) => change.name === unseen.name)) return []
      if (performance.now() - unseen.madeAt > snapshotTime) return ['no snapshot was taken']
      await sleep(2000)
    }
  }

  let visitors = 0
  async function signInFaults(): Promise<string[]> {
    const visitor = `visitor${++visitors}`
    const email = `${visitor}@example.com`
    await provider.setAccount(visitor, { email, email_verified: true, name: visitor, groups: [] })
    const begun = await done(ofConsole('POST', '/api/sign-in/providers/test', {}, {}))
    const back = new URL(await new ProviderBrowser().follow(begun.json.url, visitor))
    const answer = { provider: 'test', answer: back.search }
    const { status, json } = await ofConsole('POST', '/api/session', { cookie: begun.cookie }, answer)
    return status === 200 ? [] : [`a sign-in with the provider was refused: ${status} ${JSON.stringify(json)}`]
  }

  /** Uses up all requests of a minute of a key. */
  async function spend(authorization: string): Promise<void> {
    const one = () => call(`http://127.0.0.1:${ports.api}/api/v2/alerts`, 'GET', { authorization })
    for (let sent = 0; sent <= requestsPerMinute; sent += 20) await Promise.all(Array.from({ length: 20 }, one))
  }
  let limited = 'Bearer used-up-0'
  async function limitFaults(): Promise<string[]> {
    const { status } = await call(`http://127.0.0.1:${ports.api}/api/v2/alerts`, 'GET', { authorization: limited })
    return status === 429 ? ['a rate limit of a minute was still in force'] : []
  }

  const rowsOf = async (from: number): Promise<number> => {
    const sources: { id: string; kind: string }[] = await stack('GET', '/sources')
    const sourceId = sources.find(({ kind }) => kind === 'log')?.id
    const series = [{ sourceId, aggFn: 'count', where: 'ServiceName:soak', groupBy: [] }]
    const range = { startTime: from, endTime: from + 10 * minute, granularity: '1m' }
    const { data = [] } = await stack('POST', '/charts/series', { ...range, series })
    return data.reduce((sum: number, row: Record<string, unknown>) => sum + Number(row['series_0.data'] ?? 0), 0)
  }
  const begunAt = wall() - minute
  let rows = 0
  async function retentionFaults(): Promise<string[]> {
    const before = rows
    rows = await rowsOf(begunAt)
    return rows < before ? [`${before - rows} of ${before} rows of telemetry were deleted`] : []
  }

  async function expiryFaults(): Promise<string[]> {
    const found = await Promise.all(
      expiring.map(async ({ name: what, until, use }) => {
        const left = until - wall()
        const status = await use()
        if (Math.abs(left) < tolerance || (status === 200) === left > 0) return []
        return [left > 0 ? `${what} does not work: ${status}` : `${what} still works`]
      }),
    )
    return found.flat()
  }

  async function glassFaults(): Promise<string[]> {
    const active = (await connection())?.breakGlass
    // After a step back it is set back as well.
    glassUntil = Math.min(glassUntil, wall() + breakGlassMinutes * minute)
    const left = glassUntil - wall()
    if (active && Date.parse(active.endsAt) - wall() > breakGlassMinutes * minute + 10_000)
      return [`a break-glass ends at ${active.endsAt}, more than ${breakGlassMinutes} minutes ahead`]
    if (active && left < -tolerance) return ['a break-glass did not end']
    if (!active && left > tolerance) return ['a break-glass ended too early']
    if (!active) await breakGlass()
    return []
  }

  await breakGlass()
  await changeOutside()
  return {
    close: () => elsewhere.close(),
    async check() {
      const faults = [
        ...(await expiryFaults()),
        ...(await glassFaults()),
        ...(await signInFaults()),
        ...(await limitFaults()),
        ...(await retentionFaults()),
        ...(await snapshotFaults()),
      ]
      await changeOutside()
      return faults
    },
    async checkDuringStep() {
      limited = `Bearer used-up-${Math.random()}`
      await spend(limited)
      return [...(await signInFaults()), ...((await connection())?.breakGlass ? [] : ['a break-glass ended'])]
    },
  }
}
