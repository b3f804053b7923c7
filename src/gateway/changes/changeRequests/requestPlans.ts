/** The plan of a change request, worked out against what the connection has now. */
import { createHash } from 'node:crypto'
import type { RequestedPlan } from '#contract/console/changeRequests.ts'
import { type PlanStep, planChangesStepwise, type Plan, type WantedRecord } from '#domain/records/plan.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../../connections/connections.ts'
import { locationOf } from '#contract/console/deployments.ts'
import type { OpenHistory } from '../../history/openHistory.ts'
import type { Inventories } from '../../inventories/inventories.ts'
import { secondsFor } from '../runs/planView.ts'
import type { HeldWrites, PlannedWrite } from './heldWrites.ts'
import { type PlannedChange, fieldsOf } from './plannedChange.ts'
import type { Content, StoredRequest } from './storedRequest.ts'
import { api } from '#contract/index.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { differences } from '#domain/records/comparable.ts'
import { recordKey } from '#domain/records/directory.ts'
import type { Inventory } from '#domain/records/inventory.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import { runInTimeSlices } from '#node/concurrency/timeSlices.ts'

interface PlanDependencies {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  history: OpenHistory
  writes: HeldWrites
}

/** The plan that is carried out if the plan is approved. */
export type PlannedWork =
  | { kind: 'writes'; target: UpstreamTarget; writes: PlannedWrite[] }
  | { kind: 'run'; target: UpstreamTarget; steps: PlanStep[] }
  | { kind: 'setting' }

export interface RequestPlan {
  view: RequestedPlan
  work: PlannedWork
}

export class RequestPlans {
  readonly #dependencies: PlanDependencies

  constructor(dependencies: PlanDependencies) {
    this.#dependencies = dependencies
  }

  /** @throws ApiFailure if the deployment cannot be read, or the connection leads to another one by now */
  async of(request: StoredRequest, content: Content): Promise<RequestPlan> {
    if (content.kind === 'setting') return settingPlan(request)
    const target = this.#targetOf(request, content)
    if (content.kind === 'writes') {
      const writes = await this.#dependencies.writes.plan(target, content.writes)
      const requests = writes.reduce((sum, { revision }) => sum + (revision === undefined ? 1 : 2), 0)
      const isReady = writes.every(({ view }) => view.problem === undefined)
      return {
        view: await this.#view(request, target, writes, requests, isReady),
        work: { kind: 'writes', target, writes },
      }
    }
    const { inventory } = await this.#dependencies.inventories.read(request.connectionId, {
      maxAge: 0,
      priority: 'user',
    })
    const plan = await replan(content.steps, inventory)
    const first = new Map(content.steps.map((step) => [step.key, step]))
    const steps = plan.steps.filter(({ action }) => action !== 'same')
    const changes = steps.map((step) => plannedStep(step, first.get(step.key)))
    const isReady = plan.ready && steps.length > 0
    return {
      view: await this.#view(request, target, changes, plan.requests, isReady),
      work: { kind: 'run', target, steps },
    }
  }

  #targetOf({ connectionId }: StoredRequest, { deployment }: Exclude<Content, { kind: 'setting' }>): UpstreamTarget {
    const target = this.#dependencies.connections.open(connectionId)
    if (locationOf(target).deployment === deployment) return target
    throw failure('blocked', 'This connection leads to another deployment than when the request was opened.')
  }

  async #view(
    request: StoredRequest,
    target: UpstreamTarget,
    planned: readonly PlannedChange[],
    requests: number,
    ready: boolean,
  ): Promise<RequestedPlan> {
    const budget = this.#dependencies.deployments.budgetOf(target).state()
    // The latest read is part of the history before it is asked who changed it.
    if (planned.some(({ view }) => view.changedSince)) await this.#dependencies.history.settled()
    const changes = await Promise.all(planned.map(({ view }) => this.#withAuthor(request, target, view)))
    const digest = digestOf(request, planned)
    return { changes, requests, seconds: secondsFor(requests, target, budget), ready, digest }
  }

  /** Who changed the record since the request was opened. */
  async #withAuthor(
    { openedAt }: StoredRequest,
    target: UpstreamTarget,
    view: RequestedPlan['changes'][number],
  ): Promise<RequestedPlan['changes'][number]> {
    if (!view.changedSince || view.recordId === null) return view
    const { deployment } = locationOf(target)
    const versions = await this.#dependencies.history.queries.versions(deployment, view.kind, view.recordId)
    const change = versions.find((version) => version.change && version.change.at > openedAt)?.change
    if (!change) return view
    return { ...view, changedBy: { actor: change.actor ?? 'Somebody outside of this console', at: change.at } }
  }
}

function settingPlan(request: StoredRequest): RequestPlan {
  const changes: RequestedPlan['changes'] = [
    {
      key: 'twoPersonApproval',
      kind: 'connections',
      name: 'Approval',
      action: 'update',
      recordId: request.connectionId,
      fields: [{ path: ['two-person approval'], before: true, after: false }],
      fieldCount: 1,
      changedSince: false,
    },
  ]
  const view = { changes, requests: 0, seconds: 0, ready: true, digest: digestOf(request, []) }
  return { view, work: { kind: 'setting' } }
}

/** Equal for two plans exactly if they send the same to the same records. */
function digestOf({ id, revision }: StoredRequest, planned: readonly PlannedChange[]): string {
  const hash = createHash('sha256').update(`${id} ${revision}`)
  for (const { identity } of planned) hash.update(`\n${identity}`)
  return hash.digest('base64url')
}

/**
 * Computes the plan of a run that waits for approval again, from the records that the target has now. Changes that others made
 * meanwhile stay, except in the fields of the request: there the request wins, and people see both values before they approve.
 * @param asked the steps as they were planned when the request was opened
 */
async function replan(asked: readonly PlanStep[], inventory: Inventory): Promise<Plan> {
  const wanted = asked.flatMap((step): WantedRecord[] => {
    const { kind, name, after, before, id, original } = step
    if (after === null || step.action === 'same') return []
    return [
      { kind, name, document: after, original, ...(id !== null && { id }), ...(before !== null && { base: before }) },
    ]
  })
  const removals = asked.flatMap(({ action, kind, id }) =>
    action === 'delete' && id !== null ? [recordKey(kind, id)] : [],
  )
  const plan = await runInTimeSlices(planChangesStepwise({ wanted, target: inventory, removals: new Set(removals) }))
  const first = new Map(asked.map((step) => [step.key, step]))
  const steps = plan.steps.map((step): PlanStep => {
    const before = first.get(step.key)
    // Without a choice, a conflict keeps what was asked for. The base of the next promotion is what the source has.
    return { ...step, undecided: 0, base: before?.base, nextBase: before?.nextBase ?? before?.after ?? undefined }
  })
  const ready = steps.every(({ action, missing, blocked }) => action === 'same' || (missing.length === 0 && !blocked))
  return { ...plan, steps, ready }
}

/** A step as people see it. @param asked the same step when the request was opened */
function plannedStep(step: PlanStep, asked: PlanStep | undefined): PlannedChange {
  const { key, kind, name, action, id, before, after, missing, blocked } = step
  const atRequest = asked?.before ?? undefined
  const hasMoved = asked !== undefined && differences(asked.before ?? {}, before ?? {}).length > 0
  const [needed] = missing
  const problem =
    blocked ??
    (needed &&
      `It needs the ${needed.kind === 'tiles' ? 'tile' : formatRecordName(needed.kind)} ${needed.value}, which is not there.`)
  return {
    identity: stringifyJson([key, action, id, before, after]),
    view: {
      key,
      kind,
      name,
      action: action === 'same' ? 'update' : action,
      recordId: id,
      ...fieldsOf(api[kind].list, action === 'delete' ? [] : step.changes, atRequest),
      changedSince: hasMoved,
      ...(problem !== undefined && { problem }),
    },
  }
}
