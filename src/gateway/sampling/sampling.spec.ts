import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import {
  answerJson,
  answerText,
  secrets,
  seedsTo,
  startTestGateway,
  startUpstream,
  type Hit,
} from '../testing/testGateway.ts'

let scrapes = 0
const metrics = (hit: Hit, response: Parameters<ReturnType<typeof answerText>>[1]) => {
  scrapes++
  return answerText(`ClickPipes_FetchedEvents_Total{clickpipe_id="p"} ${scrapes}\n`, 'text/plain')(hit, response)
}
const upstream = await startUpstream(metrics)
const gateway = await startTestGateway(upstream, { tuning: { intervals: { first: 5, usual: 5, longest: 20 } } })
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const path = '/api/connections/managed/pipe-samples'
const values = async (query = '') => {
  const { json } = await gateway.call('GET', path + query)
  const [pipe] = json.pipes as { samples: { fetchedEvents: number }[] }[]
  return pipe?.samples.map(({ fetchedEvents }) => fetchedEvents) ?? []
}

beforeEach(async () => {
  scrapes = 0
  upstream.become(metrics)
  // An edit of the connection starts a new run.
  const [, managed] = seedsTo(upstream.url)
  const { id: _, ...input } = managed ?? { id: '' }
  await gateway.call('PUT', '/api/connections/managed', input)
})

/** However busy the machine is. */
const soon = { timeout: 30_000 }

describe('sampling', () => {
  it('answers the first request with a sample, and continues by itself', async () => {
    expect((await values())[0]).toBe(1)
    await vi.waitFor(() => expect(scrapes).toBeGreaterThan(4), soon)
    const seen = await values()
    expect(seen.length).toBeGreaterThan(3)
    expect(seen).toEqual(seen.map((_, at) => at + 1))
  })

  it('requests the organization once for all pipes', async () => {
    await Promise.all([values(), values('?pipes=p'), values('?pipes=other,more&minutes=5')])
    expect(upstream.hits[0]?.url).toMatch(/\/organizations\/[^/]+\/prometheus\?filtered_metrics=true$/)
    expect(await values('?pipes=other')).toEqual([])
  })

  it('stops if the key is rejected, until a retry is requested', async () => {
    upstream.become(answerJson({ error: 'no' }, 401))
    const { json } = await gateway.call('GET', path)
    expect(json).toMatchObject({ pace: null, at: null, error: { code: 'keyRejected' } })
    const requests = upstream.hits.length
    await gateway.call('GET', path)
    expect(upstream.hits).toHaveLength(requests)
    upstream.become(metrics)
    expect((await gateway.call('GET', `${path}?retry=true`)).json).toMatchObject({ error: null })
    expect((await values()).length).toBeGreaterThan(0)
  })

  it('slows down while the deployment fails, keeps its samples, and recovers', async () => {
    await values()
    upstream.become(answerJson({ error: 'down' }, 503))
    await vi.waitFor(
      async () =>
        expect((await gateway.call('GET', path)).json).toMatchObject({
          slowed: 'failing',
          error: { code: 'upstreamFailed' },
        }),
      soon,
    )
    expect((await values()).length).toBeGreaterThan(0)
    upstream.become(metrics)
    await vi.waitFor(async () => expect((await gateway.call('GET', path)).json).toMatchObject({ error: null }), soon)
  })

  it('continues by itself after the endpoint was missing for a while', async () => {
    await values()
    upstream.become(answerJson({ error: 'NOT_FOUND' }, 404))
    const state = async () => (await gateway.call('GET', path)).json
    await vi.waitFor(async () => expect(await state()).toMatchObject({ error: { code: 'notFound' } }), soon)
    expect(await state()).toMatchObject({ pace: expect.any(Number), slowed: 'failing' })
    upstream.become(metrics)
    await vi.waitFor(async () => expect(await state()).toMatchObject({ error: null }), soon)
  })

  it.each([
    ['a slow deployment', () => setTimeout(100)],
    ['a rate limit', answerText('', 'text/plain', 429, { 'retry-after': '1' })],
  ])('has no gap where it waits for %s', async (_, wait) => {
    await values()
    let [waitsFrom, waitsUntil] = [0, 0]
    upstream.become(async (hit, response) => {
      const isFirst = waitsFrom === 0
      waitsFrom ||= currentTime()
      if (isFirst) await wait(hit, response)
      if (response.writableEnded) return undefined
      waitsUntil ||= currentTime()
      return metrics(hit, response)
    })
    await vi.waitFor(async () => {
      const [pipe] = (await gateway.call('GET', path)).json.pipes as { samples: { at: number; pace: number }[] }[]
      const next = pipe?.samples.find(({ at }) => waitsUntil > 0 && at >= waitsUntil)
      expect(next?.pace).toBeGreaterThanOrEqual(waitsUntil - waitsFrom)
    }, soon)
  })

  it('starts over when the connection was edited', async () => {
    await vi.waitFor(async () => expect((await values()).length).toBeGreaterThan(2), soon)
    const [, managed] = seedsTo(upstream.url)
    const { id: _, ...input } = managed ?? { id: '' }
    await gateway.call('PUT', '/api/connections/managed', { ...input, name: 'Another name' })
    expect(await values()).toHaveLength(1)
  })

  it('returns only new samples of a known run, and all samples of an unknown one', async () => {
    const state = async (query = '') => (await gateway.call('GET', path + query)).json
    const first = await state()
    const query = (run: unknown) => `?run=${String(run)}&after=${String(first.at)}`
    await vi.waitFor(async () => {
      const next = await state(query(first.run))
      const [pipe] = next.pipes as { samples: { at: number; pace: number }[] }[]
      expect(pipe?.samples.every(({ at, pace }) => at > Number(first.at) && pace >= 5)).toBe(true)
    }, soon)
    const [known] = (await state(query('another'))).pipes as { samples: { at: number }[] }[]
    expect(known?.samples[0]?.at).toBeLessThanOrEqual(Number(first.at))
  })

  it('keeps a run while one of its sessions lasts', async () => {
    const entry = await gateway.call('POST', '/api/session', { password: secrets.password }, { cookie: '' })
    const other = { cookie: entry.headers.get('set-cookie')?.split(';')[0] ?? '' }
    const runOf = async (id: string, headers = {}) =>
      (await gateway.call('GET', `/api/connections/${id}/pipe-samples`, undefined, headers)).json.run
    const [theirs, shared] = [await runOf('wired', other), await runOf('managed', other)]
    expect(await runOf('managed')).toBe(shared)
    await gateway.call('DELETE', '/api/session', undefined, other)
    expect(await runOf('managed')).toBe(shared)
    expect(await runOf('wired')).not.toBe(theirs)
  })

  it('stops when the connection is deleted', async () => {
    const [, managed] = seedsTo(upstream.url)
    const { id: _, ...input } = managed ?? { id: '' }
    const own = { ...input, name: 'Short-lived', organizationId: '33333333-3333-4333-8333-333333333333' }
    const { id } = (await gateway.call('POST', '/api/connections', own)).json
    const at = `/api/connections/${String(id)}`
    expect((await gateway.call('GET', `${at}/pipe-samples`)).status).toBe(200)
    await gateway.call('DELETE', at)
    const requests = () => upstream.hits.filter(({ url }) => url.includes('33333333')).length
    const before = requests()
    const others = upstream.hits.length
    await values()
    // In that time there would have been as many scrapes; one may have been in progress.
    await vi.waitFor(() => expect(upstream.hits.length).toBeGreaterThan(others + 4), soon)
    expect(requests() - before).toBeLessThanOrEqual(1)
    expect((await gateway.call('GET', `${at}/pipe-samples`)).code).toBe('notFound')
  })

  it('stores no part of the key', async () => {
    const text = JSON.stringify((await gateway.call('GET', path)).json)
    expect(text).not.toContain(secrets.keySecret)
  })

  it('rejects a variant without metrics, an unknown connection, and an invalid query', async () => {
    expect((await gateway.call('GET', '/api/connections/oss/pipe-samples')).code).toBe('notOffered')
    expect((await gateway.call('GET', '/api/connections/none/pipe-samples')).code).toBe('notFound')
    expect((await gateway.call('GET', `${path}?minutes=0`)).code).toBe('invalid')
    expect((await gateway.call('GET', `${path}?pipes=p,../x`)).code).toBe('invalid')
  })
})
