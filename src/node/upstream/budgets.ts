/** The rate limits of all keys. */
import { type Variant, variants } from '#contract/wire/kernel.ts'
import { Budget, type BudgetRule, type BudgetRules, defaultRules, type Divider } from './requestBudget.ts'
import { budgetKey, type UpstreamTarget } from './upstreamTarget.ts'

/** Far more than there are keys. Each key that is tested in a form gets a budget too. */
const maxBudgets = 1_000

/** One budget for each key. */
export class Budgets {
  readonly #budgets = new Map<string, { variant: Variant; budget: Budget }>()
  #dividerFor: ((name: string, budget: Budget) => Divider) | undefined

  readonly #known: Record<string, BudgetRules>

  /** @param known the limits of deployments that differ from the default, by origin */
  constructor(known: Record<string, BudgetRules> = {}) {
    this.#known = known
  }

  /** From now on, limits are divided between processes. Call this before the first request. */
  divide(dividerFor: (name: string, budget: Budget) => Divider): void {
    this.#dividerFor = dividerFor
  }

  of(target: UpstreamTarget): Budget {
    const key = budgetKey(target)
    const rules = this.#known[new URL(target.baseUrl).origin] ?? defaultRules
    const { variant } = target
    const known = this.#budgets.get(key) ?? { variant, budget: this.#created(key, rules[variant]) }
    if (!this.#budgets.has(key) && this.#budgets.size >= maxBudgets) this.#evictUnused()
    this.#budgets.set(key, known)
    return known.budget
  }

  /** For each variant: the smallest share of a limit that is left, and the requests that wait. */
  totals(): { variant: Variant; left: number; waiting: number }[] {
    return variants.map((variant) => {
      const states = [...this.#budgets.values()]
        .filter((budget) => budget.variant === variant)
        .map(({ budget }) => budget.state())
      const shares = states.map(({ limit, remaining }) => (Number.isFinite(limit) ? remaining / limit : 1))
      return {
        variant,
        left: Math.min(1, ...shares),
        waiting: states.reduce((sum, state) => sum + state.waiting, 0),
      }
    })
  }

  #created(name: string, rule: BudgetRule): Budget {
    const budget = new Budget(rule)
    if (this.#dividerFor) budget.divide(this.#dividerFor(name, budget))
    return budget
  }

  #evictUnused(): void {
    for (const [key, { budget }] of this.#budgets) if (budget.isUnused()) this.#budgets.delete(key)
  }
}
