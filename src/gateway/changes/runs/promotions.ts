/** Plans copies of records to other connections, and starts them. */
import type { z } from 'zod'
import type { promotionInput, promotionStart, PromotionPlan, Started, TargetPlan } from '#contract/console/runs.ts'
import { directoryOf, type Inventory } from '#domain/records/inventory.ts'
import { planPromotionStepwise, type Promotion } from '#domain/records/promotion.ts'
import { choicesOf } from '#domain/records/plan.ts'
import { withEntered } from '#domain/records/unreturned.ts'
import { mappingKey, type MappingChoice } from '#domain/records/mapping.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import { runInTimeSlices } from '#node/concurrency/timeSlices.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../../connections/connections.ts'
import { inventoryFreshFor, type Inventories } from '../../inventories/inventories.ts'
import { isDecided } from './decisions.ts'
import { deploymentKey, type LinkStore } from './linkStore.ts'
import { noPlan, planView, refuseOther } from './planView.ts'
import type { Runner } from './runner.ts'
import type { Sender } from './runStore.ts'

type Input = z.output<typeof promotionInput>
type Start = z.output<typeof promotionStart>
type Target = Input['targets'][number]

interface PromotionDependencies {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  links: LinkStore
  runner: Runner
}

/** A promotion with the target that it was planned for. */
interface Planned {
  target: UpstreamTarget
  promotion: Promotion
}

export class Promotions {
  readonly #dependencies: PromotionDependencies

  constructor(dependencies: PromotionDependencies) {
    this.#dependencies = dependencies
  }

  /** The plan for each target, against what both sides have now. */
  async plan(input: Input): Promise<PromotionPlan> {
    const maxAge = input.targets.some((target) => isDecided(target) || Object.keys(target.mapping).length > 0)
      ? inventoryFreshFor
      : 0
    const from = await this.#read(input.from, maxAge)
    const source = directoryOf(from)
    const planned = await Promise.all(input.targets.map((target) => this.#planFor(input, target, from, maxAge)))
    const [first] = planned.flatMap((target) => (target instanceof ApiFailure ? [] : [target]))
    const views = planned.map((target, index): TargetPlan => {
      const connectionId = input.targets[index]?.connectionId ?? ''
      if (target instanceof ApiFailure) return noPlan(connectionId, target.message)
      const budget = this.#dependencies.deployments.budgetOf(target.target).state()
      return planView(target.target, target.promotion.plan, target.promotion.mapping, budget)
    })
    return {
      needed: (first?.promotion.needed ?? []).map(({ kind, id }) => ({ kind, id, name: source.label(kind, id) ?? '' })),
      gone: input.records.filter(({ kind, id }) => !source.get(kind, id)),
      targets: views,
    }
  }

  /**
   * Starts one run for each target whose plan is what was shown.
   * @returns the ids of the runs
   * @throws conflict if a plan is another one by now, or something is left to decide: nothing is started
   */
  async start(input: Start, sender: Sender): Promise<Started> {
    const { connections, links, runner } = this.#dependencies
    const source = connections.open(input.from)
    const from = await this.#read(input.from, 0)
    const planned = await Promise.all(input.targets.map((target) => this.#planFor(input, target, from, 0)))
    const ready = planned.map((target, index) => {
      if (target instanceof ApiFailure) throw target
      refuseOther(target.promotion.plan, input.digests[input.targets[index]?.connectionId ?? ''])
      return target
    })
    const fromDeployment = deploymentKey(source)
    const runs = ready.map(({ target, promotion }) => ({
      kind: 'promotion' as const,
      target,
      steps: promotion.plan.steps,
      details: {
        ...sender,
        continueOnFailure: input.continueOnFailure,
        from: input.from,
        fromDeployment,
        origins: Object.fromEntries(promotion.origins),
      },
    }))
    const started = await runner.start(runs)
    for (const { target, promotion } of ready) {
      await links.remember({ from: fromDeployment, to: deploymentKey(target) }, decidedMappings(promotion))
    }
    return started
  }

  async #planFor(
    { from: fromId, records }: Input,
    { connectionId, mapping, sides, entered }: Target,
    from: Inventory,
    maxAge: number,
  ): Promise<Planned | ApiFailure> {
    try {
      const { connections, links } = this.#dependencies
      if (connectionId === fromId) throw failure('invalid', 'A connection cannot be promoted to itself.')
      const [source, target] = [connections.open(fromId), connections.open(connectionId)]
      const pair = { from: deploymentKey(source), to: deploymentKey(target) }
      const to = await this.#read(connectionId, maxAge)
      const planning = planPromotionStepwise({
        chosen: records,
        from,
        to,
        mapping: new Map(Object.entries(mapping)),
        remembered: await links.mappings(pair),
        links: await links.links(pair),
        choices: choicesOf(sides),
      })
      const promotion = await runInTimeSlices(planning)
      return { target, promotion: { ...promotion, plan: withEntered(promotion.plan, entered) } }
    } catch (error) {
      if (error instanceof ApiFailure) return error
      throw error
    }
  }

  /** @param maxAge 0 to read it now */
  async #read(connectionId: string, maxAge: number): Promise<Inventory> {
    return (await this.#dependencies.inventories.read(connectionId, { maxAge, priority: 'user' })).inventory
  }
}

/** A person's decisions, to be remembered for the next promotion. Names that match need no memory. */
function decidedMappings({ mapping }: Promotion): Map<string, MappingChoice> {
  return new Map(
    mapping.flatMap(({ kind, from, choice, by }) =>
      choice && !('create' in choice) && (by === 'chosen' || by === 'remembered')
        ? [[mappingKey(kind, from), choice] as const]
        : [],
    ),
  )
}
