/**
 * Divides the rate limit of each key between the consoles on a database. Each has a portion, which it may use without asking
 * again, and gives back what it does not need. The portions together never exceed the limit, and each covers what its console
 * has in use, so the deployment never counts more than the limit. What a console had in use that ended counts until the
 * window is over.
 */
import { createHmac } from 'node:crypto'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Statements } from '#node/database/statements.ts'
import { wantedPortion, keptPortion, portionOf } from '#node/upstream/budgetPortion.ts'
import type { Budget, Demand, Divider } from '#node/upstream/requestBudget.ts'
import type { Database } from '../database/database.ts'
import { countRevision } from '../database/sharedList.ts'
import type { Presence } from './presence.ts'
import type { SharedRevisions } from './sharedRevisions.ts'

/** Milliseconds until a console asks again that did not get more. */
const askAgainAfter = 250
/** Milliseconds for the last request of a console that ended to reach the deployment. */
const arrivesWithin = 2_000
/** Milliseconds by which the clocks of machines may differ. */
const clockTolerance = 60_000
/** The name in `list_revisions` of how often a deployment answered 429. */
const pauseRevision = 'pauses'

interface BudgetsDependencies {
  database: Pick<Database, 'transactConcurrently'>
  presence: Pick<Presence, 'id' | 'isSure' | 'everyBeat'>
  /** Tells what other consoles have changed. */
  others: Pick<SharedRevisions, 'follow'>
  onError: (error: unknown) => void
  /** The key of the digests that stand for API keys. */
  digestKey: Uint8Array
}

export class SharedBudgets {
  /** The ledgers that hold something, or held it a second ago. */
  readonly #used = new Set<Ledger>()
  #pauses = 0
  readonly #dependencies: BudgetsDependencies

  constructor(dependencies: BudgetsDependencies) {
    this.#dependencies = dependencies
    dependencies.presence.everyBeat(() => this.#rebalance())
    dependencies.others.follow((revisions) => {
      const pauses = revisions.get(pauseRevision) ?? 0
      if (pauses === this.#pauses) return undefined
      this.#pauses = pauses
      return this.#rebalance()
    })
  }

  /** @param name of the key, which is not stored */
  dividerFor(name: string, budget: Budget): Divider {
    const digest = createHmac('sha256', this.#dependencies.digestKey).update(name).digest('base64url')
    const ledger = new Ledger(this.#dependencies, digest, budget)
    const keep = () => this.#used.add(ledger)
    return {
      need: () => {
        keep()
        ledger.need()
      },
      paused: () => {
        keep()
        void ledger.sharePause()
      },
      refresh: () => ledger.rebalance(),
      isValid: () => this.#dependencies.presence.isSure,
    }
  }

  async #rebalance(): Promise<void> {
    for (const ledger of this.#used) {
      await ledger.rebalance()
      if (ledger.isIdle) this.#used.delete(ledger)
    }
  }
}

/** The content of another console's row, and whether that has ended. */
interface OtherPortion {
  id: string
  size: number
  used: number
  wants: boolean
  hasEnded: boolean
  /** Epoch milliseconds, when it was written. */
  at: number
}

/** The limit as all consoles know it. */
interface Shared {
  rule: { limit: number; window: number } | undefined
  /** Milliseconds in which nothing is sent. */
  pause: number
}

/** The portions of one key. */
class Ledger {
  #rebalancing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #lastGain = 0
  /** Other consoles that waited for more when this one last looked. */
  #wanting = 0
  #hasLearned = false
  /** When consoles that ended were first missed, by `performance.now()`. */
  readonly #missed = new Map<string, number>()
  #holds = 0
  readonly #dependencies: BudgetsDependencies
  readonly #name: string
  readonly #budget: Budget

  constructor(dependencies: BudgetsDependencies, name: string, budget: Budget) {
    this.#dependencies = dependencies
    this.#name = name
    this.#budget = budget
  }

  get isIdle(): boolean {
    return this.#holds === 0
  }

  /** Asks for more, soon: at once if the last time brought some. */
  need(): void {
    if (this.#rebalancing || this.#timer) return
    if (this.#lastGain !== 0 || this.#holds === 0) {
      void this.rebalance()
      return
    }
    this.#timer = setTimeout(() => void this.rebalance(), askAgainAfter)
    this.#timer.unref()
  }

  /** Gives back the unused part of the portion, or takes more if requests wait. A failure is repaired by a later call. */
  rebalance(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Later, so that a request that comes meanwhile sees that it is under way.
    this.#rebalancing ??= Promise.resolve()
      .then(() => this.#divide())
      .catch((error: unknown) => {
        this.#lastGain = 0
        this.#holds ||= 1
        this.#dependencies.onError(error)
      })
      .finally(() => {
        this.#rebalancing = undefined
        // Requests that came meanwhile ask again.
        this.#budget.pump()
      })
    return this.#rebalancing
  }

  /** Tells other consoles of a pause. A call that is under way may have begun before the pause. */
  async sharePause(): Promise<void> {
    await this.#rebalancing
    await this.rebalance()
  }

  async #divide(): Promise<void> {
    const budget = this.#budget
    const dependencies = this.#dependencies
    const before = budget.demand()
    if (!Number.isFinite(before.limit)) return
    this.#hasLearned ||= before.isLearned
    const goal = wantedPortion(before, this.#wanting)
    const kept = keptPortion(before, goal)
    // Not used any more before others may use it.
    budget.follow({ portion: { ...before.portion, size: kept } })
    const demand = budget.demand()
    this.#hasLearned ||= demand.isLearned
    const { portion, shared, wanting } = await dependencies.database.transactConcurrently(async (transaction) => {
      const found = await this.#locked(transaction, demand)
      const others = await this.#others(transaction, demand.window)
      const othersSize = others.reduce((sum, { size }) => sum + size, 0)
      const ceiling = Math.min(demand.ceiling, found.rule?.limit ?? Number.POSITIVE_INFINITY)
      const size = portionOf({ ceiling, kept, goal, othersSize })
      await this.#store(transaction, size, demand)
      return {
        shared: found,
        portion: { size, othersSize, othersUsed: others.reduce((sum, { used }) => sum + used, 0) },
        wanting: others.filter(({ wants }) => wants).length,
      }
    })
    this.#hasLearned = false
    this.#wanting = wanting
    this.#lastGain = Math.max(0, portion.size - before.portion.size)
    this.#holds = Math.max(portion.size, demand.inUse, demand.waiting)
    budget.follow({ portion, rule: shared.rule, pause: shared.pause })
  }

  /** Locks the row of the limit, and exchanges what is known of it. */
  async #locked(transaction: Statements, demand: Demand): Promise<Shared> {
    const { rows, run } = transaction
    const [row] = await rows(
      `INSERT INTO request_budgets (name, paused_until, paused_for) VALUES (?, 0, 0)
        ON CONFLICT (name) DO UPDATE SET name = excluded.name
        RETURNING request_limit, request_window, paused_until, paused_for`,
      [this.#name],
    )
    const now = currentTime()
    const known = Math.min(Number(row?.['paused_until']) - now, Number(row?.['paused_for']))
    // A pause that this console has from another one is not a new one.
    if (demand.pause > Math.max(0, known) + askAgainAfter) {
      await run('UPDATE request_budgets SET paused_until = ?, paused_for = ? WHERE name = ?', [
        Math.ceil(now + demand.pause),
        Math.ceil(demand.pause),
        this.#name,
      ])
      await countRevision(transaction, pauseRevision)
    }
    if (this.#hasLearned) {
      const { limit, window } = demand
      await run('UPDATE request_budgets SET request_limit = ?, request_window = ? WHERE name = ?', [
        limit,
        window,
        this.#name,
      ])
      return { rule: { limit, window }, pause: known }
    }
    const [limit, window] = [row?.['request_limit'], row?.['request_window']]
    const isKnown = limit !== null && limit !== undefined
    return { rule: isKnown ? { limit: Number(limit), window: Number(window) } : undefined, pause: known }
  }

  /** The portions of others. What a console had that ended is free once its requests no longer count. */
  async #others({ rows, run }: Statements, window: number): Promise<OtherPortion[]> {
    const found = (
      await rows(
        `SELECT console, size, used, wants, at, CASE WHEN console IN (SELECT id FROM consoles) THEN 0 ELSE 1 END AS ended
          FROM budget_portions WHERE name = ? AND console <> ?`,
        [this.#name, this.#dependencies.presence.id],
      )
    ).map((row): OtherPortion => ({
      id: String(row['console']),
      size: Number(row['size']),
      used: Number(row['used']),
      wants: Number(row['wants']) === 1 && Number(row['ended']) === 0,
      hasEnded: Number(row['ended']) === 1,
      at: Number(row['at']),
    }))
    const free = found.filter(
      (otherPortion) => otherPortion.hasEnded && this.#isOver(otherPortion, window + arrivesWithin),
    )
    for (const { id } of free) {
      await run('DELETE FROM budget_portions WHERE name = ? AND console = ?', [this.#name, id])
      this.#missed.delete(id)
    }
    return found.filter((otherPortion) => !free.includes(otherPortion))
  }

  #isOver({ id, at }: OtherPortion, after: number): boolean {
    const since = this.#missed.get(id) ?? performance.now()
    this.#missed.set(id, since)
    return performance.now() - since > after || currentTime() - at > after + clockTolerance
  }

  async #store({ run }: Statements, size: number, { inUse, waiting }: Demand): Promise<void> {
    const name = this.#name
    const { id } = this.#dependencies.presence
    const stored = Math.max(size, inUse)
    if (stored > 0 || waiting > 0) {
      await run(
        `INSERT INTO budget_portions (name, console, size, used, wants, at) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (name, console) DO UPDATE SET size = excluded.size, used = excluded.used, wants = excluded.wants,
            at = excluded.at`,
        [name, id, stored, inUse, inUse + waiting > size ? 1 : 0, currentTime()],
      )
      return
    }
    await run('DELETE FROM budget_portions WHERE name = ? AND console = ?', [name, id])
    // The deployment repeats what it said of its limit.
    await run(
      `DELETE FROM request_budgets WHERE name = ? AND paused_until < ?
        AND NOT EXISTS (SELECT 1 FROM budget_portions WHERE budget_portions.name = request_budgets.name)`,
      [name, currentTime()],
    )
  }
}
