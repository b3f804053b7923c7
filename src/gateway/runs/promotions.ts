/** Plans copies of records to other connections, and starts them. */
import type { z } from 'zod'
import type { promotionInput, promotionStart, PromotionPlan, Started, TargetPlan } from '#contract/runs.ts'
import { directoryOf, type Inventory } from '#domain/records/inventory.ts'
import { planPromotion, type Promotion } from '#domain/records/promotion.ts'
import { mappingKey, type MappingChoice } from '#domain/records/mapping.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readInventory } from '#node/upstream/readInventory.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../connections/connections.ts'
import { deploymentKey, type LinkStore } from './linkStore.ts'
import { noPlan, planView, refuseOther } from './planView.ts'
import type { Runner } from './runner.ts'

type Input = z.output<typeof promotionInput>
type Start = z.output<typeof promotionStart>
type Target = Input['targets'][number]

interface Parts {
  connections: Connections
  deployments: Deployments
  links: LinkStore
  runner: Runner
}

/** A promotion with the target that it was planned for. */
interface Planned {
  target: UpstreamTarget
  promotion: Promotion
}

export class Promotions {
  constructor(private readonly parts: Parts) {}

  /** The plan for each target, against what both sides have now. */
  async plan(input: Input, signal: AbortSignal): Promise<PromotionPlan> {
    const from = await this.read(this.parts.connections.open(input.from), signal)
    const source = directoryOf(from)
    const planned = await Promise.all(input.targets.map((target) => this.planFor(input, target, from, signal)))
    const [first] = planned.flatMap((one) => (one instanceof ApiFailure ? [] : [one]))
    const views = planned.map((one, index): TargetPlan => {
      const connectionId = input.targets[index]?.connectionId ?? ''
      if (one instanceof ApiFailure) return noPlan(connectionId, one.message)
      const budget = this.parts.deployments.budgetOf(one.target).state()
      return planView(one.target, one.promotion.plan, one.promotion.mapping, budget)
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
  async start(input: Start, actor: string, signal: AbortSignal): Promise<Started> {
    const { connections, links, runner } = this.parts
    const source = connections.open(input.from)
    const from = await this.read(source, signal)
    const planned = await Promise.all(input.targets.map((target) => this.planFor(input, target, from, signal)))
    const ready = planned.map((one, index) => {
      if (one instanceof ApiFailure) throw one
      refuseOther(one.promotion.plan, input.digests[input.targets[index]?.connectionId ?? ''])
      if (one.target.readOnly) throw failure('readOnly', 'A target is read-only. Nothing was started.')
      return one
    })
    const started: string[] = []
    for (const { target, promotion } of ready) {
      await links.remember({ from: deploymentKey(source), to: deploymentKey(target) }, decided(promotion))
      const { connectionId } = target
      const details = {
        actor,
        continueOnFailure: input.continueOnFailure,
        from: input.from,
        origins: Object.fromEntries(promotion.origins),
      }
      started.push(await runner.start({ kind: 'promotion', connectionId, steps: promotion.plan.steps, details }))
    }
    return { runs: started }
  }

  private async planFor(
    { from: fromId, records }: Input,
    { connectionId, mapping, sides }: Target,
    from: Inventory,
    signal: AbortSignal,
  ): Promise<Planned | ApiFailure> {
    try {
      const { connections, links } = this.parts
      if (connectionId === fromId) throw failure('invalid', 'A connection cannot be promoted to itself.')
      const [source, target] = [connections.open(fromId), connections.open(connectionId)]
      const pair = { from: deploymentKey(source), to: deploymentKey(target) }
      const to = await this.read(target, signal)
      const promotion = planPromotion({
        chosen: records,
        from,
        to,
        mapping: new Map(Object.entries(mapping)),
        remembered: await links.mappings(pair),
        links: await links.links(pair),
        choices: new Map(Object.entries(sides).map(([key, fields]) => [key, new Map(Object.entries(fields))])),
      })
      return { target, promotion }
    } catch (error) {
      if (error instanceof ApiFailure) return error
      throw error
    }
  }

  private read(target: UpstreamTarget, signal: AbortSignal): Promise<Inventory> {
    return readInventory(this.parts.deployments, target, { priority: 'user', fresh: true, signal })
  }
}

/** What somebody decided, to be remembered for the next promotion. Names that match need no memory. */
function decided({ mapping }: Promotion): Map<string, MappingChoice> {
  return new Map(
    mapping.flatMap(({ kind, from, choice, by }) =>
      choice && !('create' in choice) && (by === 'chosen' || by === 'remembered')
        ? [[mappingKey(kind, from), choice] as const]
        : [],
    ),
  )
}
