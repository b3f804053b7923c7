import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EngineAborted, EngineBusy } from '../engine/engineError.ts'
import { QueryQueue, type Turn, type TurnClaim, type QueryQueueOptions } from './queryQueue.ts'

/** Queries over two places, of which one takes heavy ones; `began` has them in the order of their turns. */
function scene(options: Partial<QueryQueueOptions> = {}) {
  const queue = new QueryQueue({ places: 2, heavyPlaces: 1, ...options })
  const began: string[] = []
  const running = new Map<string, Turn>()
  const turnOf = async (name: string, claim: Partial<TurnClaim>) => {
    const asker = name.split(' ')[0] ?? ''
    const turn = await queue.take({ kind: 'page', asker, isHeavy: false, cost: 1, ...claim })
    began.push(name)
    running.set(name, turn)
    return turn
  }
  const ask = (name: string, claim: Partial<TurnClaim> = {}) => {
    const turn = turnOf(name, claim)
    // Some still wait when a test ends.
    turn.catch(() => undefined)
    return turn
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    running.get(name)?.leave()
    running.delete(name)
    await settle()
  }
  return { queue, began, running, ask, end, settle }
}

describe('heavy queries', () => {
  test('leave a place for light ones', async () => {
    const { began, ask, settle } = scene()
    void ask('ann 1', { isHeavy: true })
    void ask('bob 1', { isHeavy: true })
    await settle()
    void ask('cat 1')
    await settle()
    expect(began).toEqual(['ann 1', 'cat 1'])
  })

  test('begin one after the other, and none is forgotten', async () => {
    const { began, ask, end, settle } = scene()
    for (const name of ['ann 1', 'ann 2', 'ann 3']) void ask(name, { isHeavy: true })
    await settle()
    await end('ann 1')
    await end('ann 2')
    expect(began).toEqual(['ann 1', 'ann 2', 'ann 3'])
  })

  test('have the machine for themselves only where nothing else runs', async () => {
    const { ask } = scene()
    expect((await ask('ann 1', { isHeavy: true })).isAlone).toBe(true)
    expect((await ask('bob 1')).isAlone).toBe(false)
  })
})

describe('fairness', () => {
  test('whoever asks for one is served before the rest of those who ask for many', async () => {
    const { began, ask, end, settle } = scene({ places: 1 })
    for (let at = 1; at <= 20; at++) void ask(`ann ${at}`)
    void ask('bob 1')
    await settle()
    await end('ann 1')
    await end(began.at(-1) ?? '')
    expect(began.slice(0, 3)).toContain('bob 1')
  })

  test('who comes later gets no credit for the time before', async () => {
    const { began, ask, end, settle } = scene({ places: 1 })
    for (let at = 1; at <= 10; at++) void ask(`ann ${at}`)
    await settle()
    for (let at = 1; at <= 4; at++) await end(`ann ${at}`)
    for (let at = 1; at <= 10; at++) void ask(`bob ${at}`)
    for (let at = 0; at < 6; at++) await end(began.at(-1) ?? '')
    const later = began.slice(5)
    expect(later.filter((name) => name.startsWith('ann')).length).toBeGreaterThanOrEqual(2)
    expect(later.filter((name) => name.startsWith('bob')).length).toBeGreaterThanOrEqual(2)
  })

  test('programs get less than people, but their share', async () => {
    const { began, ask, end, settle } = scene({ places: 1 })
    for (let at = 1; at <= 40; at++) {
      void ask(`ann ${at}`)
      void ask(`bot ${at}`, { kind: 'program' })
    }
    await settle()
    for (let at = 0; at < 20; at++) await end(began.at(-1) ?? '')
    const ofBot = began.filter((name) => name.startsWith('bot')).length
    expect(ofBot).toBeGreaterThanOrEqual(4)
    expect(ofBot).toBeLessThanOrEqual(7)
  })

  test('every query gets its turn, in any order and mix', async () => {
    const claims = fc.array(
      fc.record({
        asker: fc.constantFrom('ann', 'bob', 'bot'),
        isHeavy: fc.boolean(),
        cost: fc.integer({ min: 1, max: 50 }),
        kind: fc.constantFrom('page' as const, 'program' as const),
      }),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(claims, async (claims) => {
        const { began, running, ask, end, settle } = scene()
        claims.forEach((claim, at) => void ask(`${claim.asker} ${at}`, claim))
        await settle()
        while (running.size > 0) {
          expect(running.size).toBeLessThanOrEqual(2)
          const [name = ''] = running.keys()
          await end(name)
        }
        expect(began).toHaveLength(claims.length)
      }),
      { numRuns: 50 },
    )
  })
})

test('alerts do not wait, whatever runs', async () => {
  const { began, ask, settle } = scene()
  for (let at = 1; at <= 5; at++) void ask(`ann ${at}`, { isHeavy: at > 1 })
  await settle()
  void ask('alerts 1', { kind: 'alert', isHeavy: true })
  await settle()
  expect(began).toContain('alerts 1')
})

describe('those who leave', () => {
  test('are not served, and their place goes to the next', async () => {
    const { began, queue, ask, end, settle } = scene({ places: 1 })
    const gone = new AbortController()
    void ask('ann 1')
    const left = ask('bob 1', { signal: gone.signal })
    void ask('cat 1')
    await settle()
    gone.abort()
    await expect(left).rejects.toBeInstanceOf(EngineAborted)
    await end('ann 1')
    expect(began).toEqual(['ann 1', 'cat 1'])
    expect(queue.waiting).toBe(0)
  })

  test('release their place once', async () => {
    const { began, ask, settle } = scene({ places: 1 })
    const turn = await ask('ann 1')
    void ask('bob 1')
    void ask('bob 2')
    turn.leave()
    turn.leave()
    await settle()
    expect(began).toEqual(['ann 1', 'bob 1'])
  })
})

describe('a full queue', () => {
  test('refuses whoever fills it, and nobody else', async () => {
    const { ask, settle } = scene({ places: 1, maxWaiting: 2 })
    for (let at = 1; at <= 3; at++) void ask(`ann ${at}`)
    await settle()
    await expect(ask('ann 4')).rejects.toThrow('2 of your queries wait already')
    void ask('bob 1')
    await settle()
  })

  test('refuses all once it is full in all, and says when to try again', async () => {
    const { ask, settle } = scene({ places: 1, maxWaitingInAll: 1 })
    void ask('ann 1')
    void ask('ann 2')
    await settle()
    const refused = await ask('bob 1').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(EngineBusy)
    expect(refused).toMatchObject({ retryAfter: 5 })
  })

  test('refuses a query that has waited too long', async () => {
    const { ask } = scene({ places: 1, maxWait: 1 })
    await ask('ann 1')
    await expect(ask('bob 1')).rejects.toThrow('waited too long')
  })
})
