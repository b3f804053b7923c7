/** Starts, stops and resumes runs. One run at a time writes to a connection. */
import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { recordKey } from '#domain/records/directory.ts'
import type { PlanStep } from '#domain/records/plan.ts'
import { runPlan, type StepOutcome } from '#domain/records/run.ts'
import { asReturned } from '#domain/records/unreturned.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { createRecordPort } from '#node/upstream/recordPort.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../connections/connections.ts'
import type { Statement } from '../database/database.ts'
import type { Inventories } from '../inventories/inventories.ts'
import type { GuardedWrites } from '../resources/guardedWrites.ts'
import { deploymentKey, type LinkStore } from './linkStore.ts'
import type { RunDetails, RunKind, RunStore, StoredRun, StoredStep } from './runStore.ts'

/** Milliseconds for which the records that a plan was made from are those of its run. */
const planFreshFor = 5000

export interface RunnerParts {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  guardedWrites: GuardedWrites
  runs: RunStore
  links: LinkStore
  logger: FastifyBaseLogger
}

interface NewRun {
  kind: RunKind
  connectionId: string
  steps: readonly PlanStep[]
  details: RunDetails
}

export class Runner {
  /** Runs under way, by connection. */
  private readonly active = new Map<string, { id: string; stop: boolean; ended: Promise<void> }>()
  private closing = false

  constructor(private readonly parts: RunnerParts) {}

  /** Stores a run and starts it. @throws readOnly, or blocked while another run writes to the connection */
  async start({ kind, connectionId, steps, details }: NewRun): Promise<string> {
    this.refuseBusy(this.writable(connectionId))
    const id = randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x')
    const sent = steps.filter(({ action }) => action !== 'same')
    const startedAt = new Date().toISOString()
    await this.parts.runs.create({ id, kind, state: 'running', connectionId, startedAt, details }, sent)
    this.launch(id, connectionId)
    return id
  }

  /** Carries out the steps that are left. What was written already is found, and not written again. */
  async resume(run: StoredRun): Promise<void> {
    if (run.state === 'done' || run.state === 'running' || run.state === 'stopping') {
      throw failure('blocked', 'Only a run that was stopped, interrupted or failed can be resumed.')
    }
    this.refuseBusy(this.writable(run.connectionId))
    await this.parts.runs.setState(run.id, 'running', null)
    this.launch(run.id, run.connectionId)
  }

  /** Ends a run after the step that is under way. */
  async stop(run: StoredRun): Promise<void> {
    const active = this.active.get(run.connectionId)
    if (active?.id !== run.id) throw failure('blocked', 'This run is not under way.')
    active.stop = true
    await this.parts.runs.setState(run.id, 'stopping', null)
  }

  /** Ends all runs after their current steps; the next start shows them as interrupted. */
  async close(): Promise<void> {
    this.closing = true
    await Promise.all([...this.active.values()].map(({ ended }) => ended))
  }

  private writable(connectionId: string): UpstreamTarget {
    const target = this.parts.connections.open(connectionId)
    if (target.readOnly) throw failure('readOnly', 'This connection is read-only. Nothing was changed.')
    return target
  }

  private refuseBusy({ connectionId }: UpstreamTarget): void {
    if (this.active.has(connectionId)) {
      throw failure('blocked', 'Another run writes to this connection. Wait until it is done, or stop it.')
    }
  }

  private launch(id: string, connectionId: string): void {
    const control = { id, stop: false, ended: Promise.resolve() }
    this.active.set(connectionId, control)
    control.ended = this.carryOut(id, control)
      .catch(async (error: unknown) => {
        this.parts.logger.error({ run: id, fault: error instanceof Error ? error.message : 'unknown' }, 'A run failed.')
        await this.parts.runs.setState(id, 'interrupted', null).catch(() => {})
      })
      .finally(() => this.active.delete(connectionId))
  }

  private async carryOut(id: string, control: { stop: boolean }): Promise<void> {
    const { connections, deployments, inventories, guardedWrites, runs } = this.parts
    const run = await runs.get(id)
    if (!run) return
    const stored = await runs.steps(id)
    const target = connections.open(run.connectionId)
    // Its plan was made a moment ago. Each step reads the record that it changes.
    const { inventory } = await inventories.read(run.connectionId, { maxAge: planFreshFor })
    const cause = { actor: run.details.actor, origin: run.kind, run: id }
    const port = createRecordPort(deployments, target, {
      send: (operation) => deployments.write(this.writable(run.connectionId), { ...operation, cause }),
      hold: (location, task) => guardedWrites.hold(target, location, task),
    })
    const positions = new Map(stored.map(({ step, position }) => [step.key, position]))
    const outcomes = await runPlan(stored.map(remaining), inventory, port, {
      begin: ({ key }) => runs.begin(id, positions.get(key) ?? -1),
      settle: (step, outcome) =>
        runs.settle(id, positions.get(step.key) ?? -1, outcome, this.lessons(run, target, step, outcome)),
      isStopped: () => control.stop || this.closing,
      continueOnFailure: run.details.continueOnFailure,
    })
    const left = stored.filter(({ step, state }) => state !== 'done' && outcomes.get(step.key)?.state !== 'done')
    await this.finish(run, left.length === 0, control.stop, outcomes)
  }

  private async finish(
    { id, details }: StoredRun,
    isDone: boolean,
    isStopped: boolean,
    outcomes: ReadonlyMap<string, StepOutcome>,
  ): Promise<void> {
    const { runs } = this.parts
    const failed = [...outcomes.values()].some(({ state }) => state !== 'done')
    const state = isDone ? 'done' : failed ? 'failed' : isStopped ? 'stopped' : 'interrupted'
    await runs.setState(id, state, new Date().toISOString())
    const undone = details.undoes === undefined ? undefined : await runs.get(details.undoes)
    if (undone && isDone) await runs.setDetails(undone.id, { ...undone.details, undoneBy: id })
  }

  /** What a step teaches: which record is a copy of which, what both had, and that one is gone. */
  private lessons({ details }: StoredRun, target: UpstreamTarget, step: PlanStep, outcome: StepOutcome): Statement[] {
    const { connections, links } = this.parts
    if (outcome.state !== 'done') return []
    const to = deploymentKey(target)
    if (step.action === 'delete') return [links.unlink(to, step.kind, outcome.id)]
    const origin = details.origins?.[step.key]
    if (!origin || details.from === undefined || !step.after) return []
    // An undo does not need the connection that was copied from.
    if (!connections.list().some((one) => one.id === details.from)) return []
    const pair = { from: deploymentKey(connections.open(details.from)), to }
    return [
      links.link(pair, recordKey(origin.kind, origin.id), { id: outcome.id, base: asReturned(step.kind, step.nextBase ?? step.after) }),
    ]
  }
}

/** A step as a resumed run sees it: what was done only tells the names of records. */
function remaining({ step, state, outcome }: StoredStep): PlanStep {
  if (state !== 'done' || outcome?.state !== 'done') return step
  return { ...step, action: 'same', id: outcome.id }
}
