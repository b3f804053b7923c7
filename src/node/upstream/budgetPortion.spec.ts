/** Budgets of several consoles that divide a limit, against what a deployment counts. */
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { priorities } from '#contract/console/connections.ts'
import { wantedPortion, keptPortion, portionOf } from './budgetPortion.ts'
import { Budget } from './requestBudget.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rule = { limit: 10, window: 10_000 }
/** Milliseconds that a look at the portions takes. */
const latency = 5

/** Consoles that divide the limit as those on a database do, one look after another. */
function consoles(count: number) {
  const rows = new Map<number, { size: number; used: number; wants: boolean }>()
  return Array.from({ length: count }, (_, id) => {
    const budget = new Budget(rule)
    let wanting = 0
    let isLooking = false
    let again: NodeJS.Timeout | undefined
    /** Stored values are known a moment later. */
    const look = () => {
      if (isLooking) return
      isLooking = true
      clearTimeout(again)
      again = undefined
      const before = budget.demand()
      const goal = wantedPortion(before, wanting)
      const kept = keptPortion(before, goal)
      budget.follow({ portion: { ...before.portion, size: kept } })
      const { ceiling, inUse, waiting } = budget.demand()
      const others = [...rows].flatMap(([other, row]) => (other === id ? [] : [row]))
      const othersSize = others.reduce((sum, { size }) => sum + size, 0)
      const size = portionOf({ ceiling, kept, goal, othersSize })
      rows.set(id, { size: Math.max(size, inUse), used: inUse, wants: inUse + waiting > size })
      wanting = others.filter(({ wants }) => wants).length
      const othersUsed = others.reduce((sum, row) => sum + row.used, 0)
      setTimeout(() => {
        isLooking = false
        budget.follow({ portion: { size, othersSize, othersUsed } })
      }, latency)
    }
    const need = () => {
      if (!isLooking) again ??= setTimeout(look, 100)
    }
    budget.divide({ need, paused: () => {}, isValid: () => true, refresh: async () => {} })
    const beat = setInterval(look, 1_000)
    return { budget, stop: () => clearInterval(beat) }
  })
}

test('the limit is never exceeded, everybody gets through, and the figures are those of all', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          after: fc.nat(800),
          console: fc.nat(2),
          travel: fc.nat(1_500),
          back: fc.nat(3_000),
          priority: fc.constantFrom(...priorities),
        }),
        { minLength: 15, maxLength: 30 },
      ),
      async (requests) => {
        const all = consoles(3)
        const counted: number[] = []
        const sent = requests.map(async ({ console: at, travel, back, priority }, index) => {
          await new Promise((done) =>
            setTimeout(
              done,
              requests.slice(0, index + 1).reduce((sum, { after }) => sum + after, 0),
            ),
          )
          const slot = await all[at]!.budget.take({ priority }, 3_600_000) // there are three
          await new Promise((done) => setTimeout(done, travel))
          counted.push(performance.now())
          await new Promise((done) => setTimeout(done, back))
          slot.release()
        })
        // Until the last one no longer counts, which the others know two looks later.
        await vi.advanceTimersByTimeAsync(120_000)
        expect(counted).toHaveLength(requests.length)
        await Promise.all(sent)
        const busiest = counted.map((from) => counted.filter((at) => at >= from && at < from + rule.window).length)
        expect(Math.max(...busiest)).toBeLessThanOrEqual(rule.limit)
        for (const { budget, stop } of all) {
          expect(budget.state()).toMatchObject({ remaining: rule.limit, waiting: 0 })
          stop()
        }
      },
    ),
    { numRuns: 10, endOnFailure: true },
  )
})

test('one console alone uses all of a limit, and gives half of it to another one that waits', async () => {
  const [one, other] = consoles(2)
  const counts = [0, 0]
  // Each answer comes at once, and the next request follows.
  const flood = async ({ budget }: { budget: Budget }, at: number) => {
    for (;;) {
      const slot = await budget.take({ priority: 'user' }, 3_600_000)
      counts[at]! += 1 // there are two
      slot.release()
    }
  }
  void flood(one!, 0)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(counts).toEqual([rule.limit, 0])
  expect(other!.budget.state().remaining).toBe(0)
  void flood(other!, 1)
  await vi.advanceTimersByTimeAsync(10 * rule.window)
  expect(Math.min(...counts)).toBeGreaterThan(3 * rule.limit)
  expect(counts[0]! + counts[1]!).toBeLessThanOrEqual(11 * rule.limit) // there are two
  one!.stop()
  other!.stop()
})
