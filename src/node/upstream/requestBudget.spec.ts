import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { priorities } from '#contract/console/connections.ts'
import type { ApiFailure } from './apiFailure.ts'
import { Budgets } from './budgets.ts'
import { Budget } from './requestBudget.ts'
import { WaitingRequests, type Priority, type Waiting } from './waitingRequests.ts'
import { rateLimitInfo } from './rateHeaders.ts'
import { credential, type UpstreamTarget } from './upstreamTarget.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const managed = { limit: 10, window: 10_000 }

/** How many of `times` a deployment counts at `now`. */
type Count = (times: readonly number[], now: number, window: number) => number

const slidingCount: Count = (times, now, window) => times.filter((at) => at > now - window).length
const fixedCount: Count = (times, now, window) =>
  times.filter((at) => Math.floor(at / window) === Math.floor(now / window)).length

/**
 * Sends one request after another and notes when the deployment counted each: somewhere between sending and answer. With
 * `count`, each answer tells what is left.
 */
function deployment(budget: Budget, count?: Count) {
  const counted: { at: number; priority: Priority }[] = []
  async function send(priority: Priority, { travel = 20, back = 20, timeout = 3_600_000 } = {}) {
    const slot = await budget.take({ priority }, timeout)
    await new Promise((done) => setTimeout(done, travel))
    counted.push({ at: performance.now(), priority })
    const { limit, window } = managed
    const times = counted.map(({ at }) => at)
    const remaining = count && limit - count(times, performance.now(), window)
    await new Promise((done) => setTimeout(done, back))
    if (remaining !== undefined) budget.learn({ limit, remaining }, false, slot.sentAt)
    slot.release()
  }
  /** The most requests in any window, as a deployment would count them. */
  function busiest(window: number): number {
    const times = counted.map(({ at }) => at).toSorted((a, b) => a - b)
    return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + window).length))
  }
  return { send, counted, busiest }
}

describe('rate limit', () => {
  test.each([
    ['says nothing', undefined],
    ['reports a fixed window', fixedCount],
    ['reports a sliding window', slidingCount],
  ])('is never exceeded where the deployment %s', async (_, count) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            after: fc.nat(3_000),
            travel: fc.nat(2_000),
            back: fc.nat(14_000),
            priority: fc.constantFrom(...priorities),
          }),
          { minLength: 15, maxLength: 60 },
        ),
        async (requests) => {
          const budget = new Budget(managed)
          const { send, counted, busiest } = deployment(budget, count)
          const all: Promise<void>[] = []
          for (const { after, ...request } of requests) {
            await vi.advanceTimersByTimeAsync(after)
            all.push(send(request.priority, request))
          }
          await vi.advanceTimersByTimeAsync(3_600_000)
          await Promise.all(all)
          expect(counted).toHaveLength(requests.length)
          const times = counted.map(({ at }) => at)
          const most = times.map((at, index) => (count ?? slidingCount)(times.slice(0, index + 1), at, managed.window))
          expect(Math.max(...most)).toBeLessThanOrEqual(managed.limit)
          if (!count) expect(busiest(managed.window)).toBeLessThanOrEqual(managed.limit)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('allows ten requests at once, and ten more after the window', async () => {
    const { send, counted } = deployment(new Budget(managed))
    for (let request = 0; request < 20; request++) void send('user')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(counted).toHaveLength(10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(counted).toHaveLength(20)
  })

  test('holds with ten polling tabs for five minutes, without delaying a click', async () => {
    const budget = new Budget(managed)
    const { send, busiest } = deployment(budget)
    const waits: number[] = []
    const polls = setInterval(() => {
      for (let tab = 0; tab < 10; tab++) send('background', { timeout: 20_000 }).catch(() => {})
    }, 5_000)
    for (let click = 0; click < 25; click++) {
      await vi.advanceTimersByTimeAsync(12_000)
      const clicked = performance.now()
      void send('user').then(() => waits.push(performance.now() - clicked))
    }
    clearInterval(polls)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(busiest(managed.window)).toBeLessThanOrEqual(managed.limit)
    expect(waits).toHaveLength(25)
    expect(Math.max(...waits)).toBeLessThan(1_000)
  })
})

describe('order of waiting requests', () => {
  test('is by priority, then by arrival', async () => {
    const budget = new Budget({ limit: 1, window: 100 })
    const { send, counted } = deployment(budget)
    void send('user')
    await vi.advanceTimersByTimeAsync(1)
    for (const priority of ['background', 'visible', 'user', 'readBack', 'user'] as const) void send(priority)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(counted.map(({ priority }) => priority)).toEqual([
      'user',
      'user',
      'user',
      'readBack',
      'visible',
      'background',
    ])
  })

  test('changes when a more important request arrives', async () => {
    const budget = new Budget({ limit: 1, window: 100 })
    const order: string[] = []
    const first = await budget.take({ priority: 'user' }, 60_000)
    const raised = { priority: 'background' as Priority }
    void budget.take({ priority: 'visible' }, 60_000).then((slot) => (order.push('visible'), slot.release()))
    void budget.take(raised, 60_000).then((slot) => (order.push('raised'), slot.release()))
    raised.priority = 'user'
    first.release()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(order).toEqual(['raised', 'visible'])
  })
})

describe('waiting request', () => {
  test('ends with a timeout that says when to try again', async () => {
    const budget = new Budget({ limit: 1, window: 60_000 })
    ;(await budget.take({ priority: 'user' }, 0)).release()
    const refused = budget.take({ priority: 'user' }, 5_000).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await refused).toMatchObject({ error: { code: 'rateLimited', retryAfter: 55 } })
  })

  test('reports how many wait, and when the first one is sent', async () => {
    const budget = new Budget({ limit: 10, window: 10_000 })
    const send = async (priority: Priority) => (await budget.take({ priority }, 60_000)).release()
    for (let sent = 0; sent < 8; sent++) {
      await send('user')
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(budget.state()).toMatchObject({ remaining: 2, next: 0, waiting: 0 })
    // A page's read leaves the last fifth to user actions.
    const read = send('visible')
    expect(budget.state()).toMatchObject({ remaining: 2, next: 6, waiting: 1 })
    await vi.advanceTimersByTimeAsync(6_000)
    await read
    expect(budget.state()).toMatchObject({ next: 0, waiting: 0 })
  })

  test('reports when the next one may be sent, not when all may', async () => {
    const budget = new Budget({ limit: 2, window: 10_000 })
    ;(await budget.take({ priority: 'user' }, 0)).release()
    await vi.advanceTimersByTimeAsync(7_000)
    ;(await budget.take({ priority: 'user' }, 0)).release()
    expect(budget.state()).toMatchObject({ remaining: 0, next: 3, reset: 10 })
    const refused = budget.take({ priority: 'user' }, 1_000).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await refused).toMatchObject({ error: { code: 'rateLimited', retryAfter: 2 } })
  })

  test('ends without using the limit when its client disconnects', async () => {
    const budget = new Budget({ limit: 1, window: 1_000 })
    const slot = await budget.take({ priority: 'user' }, 0)
    const leaving = new AbortController()
    const left = budget.take({ priority: 'user', signal: leaving.signal }, 60_000).catch((error: unknown) => error)
    const stays = budget.take({ priority: 'background' }, 60_000)
    leaving.abort(new Error('gone'))
    expect(await left).toMatchObject({ message: 'gone' })
    slot.release()
    await vi.advanceTimersByTimeAsync(1_000)
    await stays
  })
})

describe('rate limit headers of the deployment', () => {
  test('change the limit, and count external usage of the key', async () => {
    const budget = new Budget(managed)
    const slot = await budget.take({ priority: 'user' }, 0)
    budget.learn({ limit: 100, remaining: 3, reset: 30_000 }, false, slot.sentAt)
    slot.release()
    expect(budget.state()).toMatchObject({ limit: 100, remaining: 3, reset: 30, next: 0 })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(budget.state()).toEqual({ limit: 100, remaining: 100, reset: 0, next: 0, waiting: 0 })
  })

  test('release requests of the previous window', async () => {
    const budget = new Budget(managed)
    const { send, counted } = deployment(budget, fixedCount)
    await vi.advanceTimersByTimeAsync(managed.window - (performance.now() % managed.window) - 1_000)
    for (let request = 0; request < 9; request++) void send('user')
    await vi.advanceTimersByTimeAsync(1_100)
    expect(budget.state().remaining).toBe(1)
    await Promise.all([send('user'), vi.advanceTimersByTimeAsync(100)])
    expect(budget.state().remaining).toBe(9)
    for (let request = 0; request < 9; request++) void send('user')
    await vi.advanceTimersByTimeAsync(100)
    expect(counted).toHaveLength(19)
    expect(budget.state().remaining).toBe(0)
  })

  test('release nothing that was answered after the request was sent', async () => {
    const budget = new Budget(managed)
    const slow = await budget.take({ priority: 'user' }, 0)
    const { send } = deployment(budget)
    for (let request = 0; request < 5; request++) void send('user')
    await vi.advanceTimersByTimeAsync(100)
    budget.learn({ limit: 10, remaining: 9 }, false, slow.sentAt)
    slow.release()
    expect(budget.state().remaining).toBe(4)
  })

  test('block all requests after a 429 until the given time', async () => {
    const budget = new Budget(managed)
    const { send, counted } = deployment(budget)
    budget.learn({ retryAfter: 7_000 }, true, performance.now())
    expect(budget.state()).toEqual({ limit: 10, remaining: 0, reset: 7, next: 7, waiting: 0 })
    void send('user')
    await vi.advanceTimersByTimeAsync(6_900)
    expect(counted).toEqual([])
    await vi.advanceTimersByTimeAsync(500)
    expect(counted).toHaveLength(1)
  })

  test.each([
    [
      { 'ratelimit-limit': '100', 'ratelimit-remaining': '99', 'ratelimit-reset': '58' },
      { limit: 100, remaining: 99, reset: 58_000 },
    ],
    [
      { 'ratelimit-policy': '100;w=60', 'ratelimit-limit': '100' },
      { limit: 100, window: 60_000 },
    ],
    [{ 'x-ratelimit-reset': '3.5' }, { reset: 3_500 }],
    [{ 'x-ratelimit-reset': String(1_800_000_005), date: new Date(1_800_000_000_000).toUTCString() }, { reset: 5_000 }],
    [{ 'retry-after': '12' }, { retryAfter: 12_000 }],
    [
      {
        'retry-after': new Date(1_800_000_000_000 + 9_000).toUTCString(),
        date: new Date(1_800_000_000_000).toUTCString(),
      },
      { retryAfter: 9_000 },
    ],
    [{ 'retry-after': 'soon', 'ratelimit-limit': 'many', 'ratelimit-remaining': '-1' }, {}],
    [{}, {}],
  ])('%o', (headers, info) => expect(rateLimitInfo(headers)).toEqual(info))
})

describe('rate limits of many keys', () => {
  const target = (connectionId: string, accessKey: string, baseUrl = 'http://a:1'): UpstreamTarget => ({
    connectionId,
    revision: '1',
    variant: 'openSource',
    baseUrl,
    names: { stack: '', pipes: '', version: '', settingPrefix: '', settings: '' },
    readOnly: false,
    allowPrivate: true,
    ...credential('openSource', { accessKey }),
  })

  test('are shared by connections with one key only', () => {
    const budgets = new Budgets()
    expect(budgets.of(target('one', 'k'))).toBe(budgets.of(target('two', 'k', 'http://a:1/prefix')))
    expect(budgets.of(target('one', 'k'))).not.toBe(budgets.of(target('one', 'other')))
    expect(budgets.of(target('one', 'k'))).not.toBe(budgets.of(target('one', 'k', 'http://b:1')))
  })

  test('are kept for used keys until their window is over', async () => {
    const budgets = new Budgets()
    const tryManyKeys = () => Array.from({ length: 1_500 }, (_, at) => budgets.of(target('draft', `key ${at}`)))
    const used = budgets.of(target('one', 'k'))
    const slot = await used.take({ priority: 'user' }, 0)
    tryManyKeys()
    expect(budgets.of(target('one', 'k'))).toBe(used)
    slot.release()
    tryManyKeys()
    expect(budgets.of(target('one', 'k'))).toBe(used)
    await vi.advanceTimersByTimeAsync(60_001)
    tryManyKeys()
    expect(budgets.of(target('one', 'k'))).not.toBe(used)
  })
})

describe('hanging requests', () => {
  const unlimited = { limit: 1_000, window: 60_000 }
  const hang = (budget: Budget, count: number) =>
    Promise.all(Array.from({ length: count }, () => budget.take({ priority: 'visible' }, 60_000)))

  test('do not delay a click, and no other request once they are known to hang', async () => {
    const budget = new Budget(unlimited)
    void hang(budget, 40)
    const went: string[] = []
    void budget.take({ priority: 'user' }, 60_000).then(() => went.push('click'))
    void budget.take({ priority: 'visible' }, 60_000).then(() => went.push('other page'))
    await vi.advanceTimersByTimeAsync(0)
    expect(went).toEqual(['click'])
    await vi.advanceTimersByTimeAsync(7_000)
    expect(went).toEqual(['click', 'other page'])
  })

  test('do not count after the deployment’s window is over', async () => {
    const budget = new Budget(managed)
    void hang(budget, 8)
    const went: string[] = []
    void budget.take({ priority: 'visible' }, 60_000).then(() => went.push('other page'))
    await vi.advanceTimersByTimeAsync(managed.window)
    expect(went).toEqual([])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(went).toEqual(['other page'])
  })

  test('are counted correctly if their response comes late', async () => {
    const budget = new Budget(managed)
    const slots = await hang(budget, 8)
    await vi.advanceTimersByTimeAsync(60_000)
    for (const slot of slots) slot.release()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(budget.isUnused()).toBe(true)
  })
})

test('a request that would wait too long for the deployment fails at once', async () => {
  const budget = new Budget(managed)
  const outcomes: unknown[] = []
  const note = (error: ApiFailure) => outcomes.push(error.error.retryAfter)
  for (let at = 0; at < 12; at++) void budget.take({ priority: 'visible' }, 20_000).catch(note)
  budget.learn({ retryAfter: 60_000 }, true, performance.now())
  await vi.advanceTimersByTimeAsync(0)
  expect(outcomes).toEqual([60, 60, 60, 60])
  await expect(budget.take({ priority: 'user' }, 20_000)).rejects.toMatchObject({ error: { retryAfter: 60 } })
  void budget.take({ priority: 'user' }, 61_000).then(() => outcomes.push('went'))
  await vi.advanceTimersByTimeAsync(60_001)
  expect(outcomes.at(-1)).toBe('went')
})

/** Sends requests of callers, and notes whose were sent, in their order. */
function sender(budget: Budget) {
  const sent: string[] = []
  const refused: string[] = []
  const send = async (caller: string, callers = new Set([caller])) => {
    try {
      const slot = await budget.take({ priority: 'visible', callers }, 3_600_000)
      sent.push(caller)
      slot.release()
    } catch {
      refused.push(caller)
    }
  }
  return { send, sent, refused }
}

describe('callers of a key at its rate limit', () => {
  test('take turns: a click is not behind the requests of somebody else', async () => {
    const { send, sent } = sender(new Budget(managed))
    for (let at = 0; at < 60; at++) void send('many')
    await vi.advanceTimersByTimeAsync(1)
    const before = sent.length
    void send('few')
    await vi.advanceTimersByTimeAsync(managed.window)
    expect(before).toBeLessThan(60)
    expect(sent[before]).toBe('few')
  })

  test('all get a part of each window, whoever came first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 40, maxLength: 90 }),
        async (callers) => {
          const { send, sent } = sender(new Budget(managed))
          for (const caller of callers) void send(caller)
          await vi.advanceTimersByTimeAsync(1)
          const first = sent.length
          await vi.advanceTimersByTimeAsync(managed.window)
          const inWindow = (caller: string) =>
            sent.slice(first, first + managed.limit).filter((other) => other === caller).length
          const isWaiting = (caller: string) =>
            callers.filter((other) => other === caller).length > sent.filter((other) => other === caller).length
          const most = Math.max(...callers.map(inWindow))
          for (const caller of new Set(callers)) {
            if (isWaiting(caller)) expect(inWindow(caller)).toBeGreaterThanOrEqual(most - 1)
          }
          await vi.advanceTimersByTimeAsync(3_600_000)
          expect(sent).toHaveLength(callers.length)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('each turn is of the highest priority, and of the caller with the fewest turns in the window', () => {
    const step = fc.record({
      caller: fc.constantFrom('a', 'b', 'c', undefined),
      priority: fc.constantFrom(...priorities),
      after: fc.nat(400),
      turns: fc.nat(2),
    })
    const request = (caller: string | undefined, priority: Priority): Waiting => ({
      claim: { priority, callers: new Set(caller === undefined ? [] : [caller]) },
      until: Number.POSITIVE_INFINITY,
      grant: () => {},
      refuse: () => {},
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new WaitingRequests()
        const waiting: Waiting[] = []
        const granted: { of: Waiting; at: number }[] = []
        const nameOf = ({ claim }: Waiting) => [...(claim.callers ?? [])][0]
        for (const { caller, priority, after, turns } of steps) {
          vi.advanceTimersByTime(after)
          const added = request(caller, priority)
          queue.add(added)
          waiting.push(added)
          for (let turn = 0; turn < turns; turn++) {
            const next = queue.first()
            const highest = Math.min(...waiting.map(({ claim }) => priorities.indexOf(claim.priority)))
            // The queue forgets old turns with each one that it grants.
            const since = granted.at(-1) === undefined ? 0 : granted.at(-1)!.at - 1_000
            const turnsOf = (one: Waiting) =>
              granted.filter(({ of, at }) => nameOf(of) === nameOf(one) && at > since).length
            const best = waiting.filter(({ claim }) => priorities.indexOf(claim.priority) === highest)
            const fewest = Math.min(...best.map(turnsOf))
            expect(next).toBe(best.find((candidate) => turnsOf(candidate) === fewest))
            if (!next) continue
            queue.take(next, performance.now() - 1_000)
            waiting.splice(waiting.indexOf(next), 1)
            granted.push({ of: next, at: performance.now() })
          }
        }
      }),
    )
  })

  test('do not fill the queue for others', async () => {
    const { send, sent, refused } = sender(new Budget(managed))
    for (let at = 0; at < 300; at++) void send('many')
    void send('few')
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(new Set(refused)).toEqual(new Set(['many']))
    expect(sent).toContain('few')
    expect(sent.length + refused.length).toBe(301)
  })

  test('find a place beside the work of the console itself', async () => {
    const { send, sent, refused } = sender(new Budget(managed))
    for (let at = 0; at < 600; at++) void send('console', new Set())
    void send('few')
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(new Set(refused)).toEqual(new Set(['console']))
    expect(sent).toContain('few')
  })

  test('share the turn of a read that they share', async () => {
    const { send, sent } = sender(new Budget(managed))
    for (let at = 0; at < 40; at++) void send('many')
    await vi.advanceTimersByTimeAsync(1)
    const before = sent.length
    const joined = new Set(['many'])
    void send('shared', joined)
    joined.add('few')
    await vi.advanceTimersByTimeAsync(managed.window)
    expect(sent[before]).toBe('shared')
  })
})
