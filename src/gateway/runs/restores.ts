/** Restores of a connection, or of single records, to what the history has. */
import type { z } from 'zod'
import type { restoreInput, restoreStart, Started, TargetPlan } from '#contract/runs.ts'
import { isObject, type JsonObject } from '#domain/json/json.ts'
import type { Inventory } from '#domain/records/inventory.ts'
import { recordKinds } from '#domain/records/kinds.ts'
import type { Plan } from '#domain/records/plan.ts'
import { planRestoration } from '#domain/records/restoration.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readInventory } from '#node/upstream/readInventory.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../connections/connections.ts'
import { placeOf } from '../history/historyKinds.ts'
import type { OpenHistory } from '../history/openHistory.ts'
import { planView, refuseOther } from './planView.ts'
import type { Runner } from './runner.ts'

type Input = z.output<typeof restoreInput>
type Start = z.output<typeof restoreStart>

interface Parts {
  connections: Connections
  deployments: Deployments
  history: OpenHistory
  runner: Runner
}

export class Restores {
  constructor(private readonly parts: Parts) {}

  async plan(connectionId: string, input: Input, signal: AbortSignal): Promise<TargetPlan> {
    const target = this.parts.connections.open(connectionId)
    const plan = await this.planFor(target, input, signal)
    return planView(target, plan, [], this.parts.deployments.budgetOf(target).state())
  }

  /** @throws conflict if the plan is another one by now: nothing is started */
  async start(connectionId: string, input: Start, actor: string, signal: AbortSignal): Promise<Started> {
    const target = this.parts.connections.open(connectionId)
    const plan = await this.planFor(target, input, signal)
    refuseOther(plan, input.digests[connectionId])
    const details = { actor, continueOnFailure: input.continueOnFailure }
    return { runs: [await this.parts.runner.start({ kind: 'restore', connectionId, steps: plan.steps, details })] }
  }

  private async planFor(target: UpstreamTarget, input: Input, signal: AbortSignal): Promise<Plan> {
    const { deployments, history } = this.parts
    const now = await readInventory(deployments, target, { priority: 'user', fresh: true, signal })
    // What was just read is part of the history before it is asked.
    await history.settled()
    const moment = await this.momentOf(target, input)
    const choices = new Map(Object.entries(input.sides).map(([key, sides]) => [key, new Map(Object.entries(sides))]))
    const plan = planRestoration({ moment, target: now, chosen: input.records ?? input.versions, choices })
    return withSecrets(plan, input.secrets)
  }

  /** The records at the time, or the named versions among those of now. */
  private async momentOf(target: UpstreamTarget, { time, versions }: Input): Promise<Inventory> {
    const { deployment } = placeOf(target)
    const { history } = this.parts
    const at = await history.queries.at(deployment, time ?? new Date().toISOString())
    const named = new Map(versions?.map(({ kind, id, version }) => [`${kind} ${id}`, { kind, id, version }]))
    for (const { version } of named.values()) {
      const kind = await history.queries.kindOf(deployment, version)
      if (kind === undefined) throw failure('notFound', 'This version is no longer kept.')
    }
    const others = at.filter(({ kind, id }) => !named.has(`${kind} ${id}`))
    const records: Inventory['records'] = { sources: [], webhooks: [], savedSearches: [], dashboards: [], alerts: [] }
    for (const kind of recordKinds) {
      const found: JsonObject[] = []
      for (const one of [...others, ...named.values()]) {
        if (one.kind !== kind) continue
        const record = await history.versions.read(one.version)
        if (isObject(record)) found.push({ ...record, id: one.id })
      }
      records[kind] = found
    }
    return { records }
  }
}

/** Secrets that deployments never give back, which somebody entered for records that are created again. */
function withSecrets(plan: Plan, secrets: Input['secrets']): Plan {
  return {
    ...plan,
    steps: plan.steps.map((step) => {
      const entered = secrets[step.key]
      return entered && step.action === 'create' && step.after
        ? { ...step, after: { ...step.after, ...entered } }
        : step
    }),
  }
}
