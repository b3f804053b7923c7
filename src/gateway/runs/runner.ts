/** Starts, stops and resumes runs. One run at a time writes to a deployment, and only to the one that it was planned for. */
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
import { refuseBeyond } from '../access/access.ts'
import type { Standing } from '../people/standing.ts'
import type { Connections } from '../connections/connections.ts'
import type { Statement } from '../database/database.ts'
import type { Inventories } from '../inventories/inventories.ts'
import type { GuardedWrites } from '../resources/guardedWrites.ts'
import { placeOf, sharesRecords } from '../history/historyKinds.ts'
import { deploymentKey, type LinkStore } from './linkStore.ts'
import type { RunDetails, RunKind, RunStore, Sender, StoredRun, StoredStep } from './runStore.ts'

/** Milliseconds for which the records that a plan was made from are those of its run. */
const planFreshFor = 5000

export interface RunnerParts {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  guardedWrites: GuardedWrites
  runs: RunStore
  links: LinkStore
  standing: Standing
  logger: FastifyBaseLogger
}

export interface NewRun {
  kind: RunKind
  /** The deployment that the plan was made for. */
  target: UpstreamTarget
  steps: readonly PlanStep[]
  details: Omit<RunDetails, 'deployment'>
}

/** A run under way. */
interface Active {
  target: UpstreamTarget
  stop: boolean
  ended: Promise<void>
}

export class Runner {
  /** Runs under way, by their IDs. */
  private readonly active = new Map<string, Active>()
  private closing = false

  constructor(private readonly parts: RunnerParts) {}

  /**
   * Stores runs and starts them: all or none.
   * @returns their IDs
   * @throws readOnly, invalid for two runs on one deployment, or blocked while another run writes to one
   */
  async start(runs: readonly NewRun[]): Promise<string[]> {
    const reserved = this.reserve(
      runs.map(({ target }) => ({ id: newRunId(), target: this.writable(target.connectionId, placeOf(target)) })),
    )
    const startedAt = new Date().toISOString()
    const created = runs.map(({ kind, target, steps, details }, index) => ({
      id: reserved[index] ?? '',
      kind,
      state: 'running' as const,
      connectionId: target.connectionId,
      startedAt,
      details: { ...details, deployment: placeOf(target).deployment },
      steps: steps.filter(({ action }) => action !== 'same'),
    }))
    await this.orRelease(reserved, this.parts.runs.create(created))
    for (const id of reserved) this.launch(id)
    return reserved
  }

  /** Carries out the steps that are left. What was written already is found, and not written again. */
  async resume(run: StoredRun, { actor, by }: Sender): Promise<void> {
    if (run.state === 'done' || run.state === 'running' || run.state === 'stopping') {
      throw failure('blocked', 'Only a run that was stopped, interrupted or failed can be resumed.')
    }
    const reserved = this.reserve([{ id: run.id, target: this.writable(run.connectionId, run.details) }])
    // From now on it writes with the role of whoever resumed it.
    const details = { ...run.details, by, resumedBy: actor }
    const stored = this.parts.runs.setDetails(run.id, details)
    await this.orRelease(
      reserved,
      stored.then(() => this.parts.runs.setState(run.id, 'running', null)),
    )
    this.launch(run.id)
  }

  /** Ends a run after the step that is under way. */
  async stop(run: StoredRun): Promise<void> {
    const active = this.active.get(run.id)
    if (!active) throw failure('blocked', 'This run is not under way.')
    active.stop = true
    await this.parts.runs.noteStopping(run.id)
  }

  /** A run as it is: one that ended while its state could not be stored is interrupted. */
  actual(run: StoredRun): StoredRun {
    const isStored = run.state === 'running' || run.state === 'stopping'
    return isStored && !this.active.has(run.id) ? { ...run, state: 'interrupted' } : run
  }

  /** The deployment that a run was planned for. @throws blocked if its connection leads to another one by now */
  targetOf(connectionId: string, { deployment }: Pick<RunDetails, 'deployment'>): UpstreamTarget {
    const target = this.parts.connections.open(connectionId)
    if (deployment === undefined || placeOf(target).deployment === deployment) return target
    throw failure('blocked', 'This connection leads to another deployment by now. Nothing was sent to it.')
  }

  /** Ends all runs after their current steps; the next start shows them as interrupted. */
  async close(): Promise<void> {
    this.closing = true
    await Promise.all([...this.active.values()].map(({ ended }) => ended))
  }

  /** Roles may change while a run is under way. @throws forbidden if whoever started or resumed it may not write any more */
  private async refuseFormer({ connectionId, details }: StoredRun): Promise<void> {
    const access = await this.parts.standing.accessOf(details.by ?? null)
    if (!access) throw failure('forbidden', `${details.resumedBy ?? details.actor} may not use the console any more.`)
    refuseBeyond(access, this.parts.connections, connectionId, 'write')
  }

  private writable(connectionId: string, planned: Pick<RunDetails, 'deployment'>): UpstreamTarget {
    const target = this.targetOf(connectionId, planned)
    if (target.readOnly) throw failure('readOnly', 'This connection is read-only. Nothing was changed.')
    return target
  }

  /** From now on no other run writes to these deployments. Without a pause, so that two starts at once cannot both pass. */
  private reserve(wanted: readonly { id: string; target: UpstreamTarget }[]): string[] {
    if (this.closing) throw failure('blocked', 'The console is being stopped. Nothing was started.')
    for (const [index, { target }] of wanted.entries()) {
      if (wanted.slice(0, index).some((other) => sharesRecords(target, other.target))) {
        throw failure('invalid', 'Two of the targets are the same deployment. Choose one of them. Nothing was started.')
      }
      if ([...this.active.values()].some((other) => sharesRecords(target, other.target))) {
        throw failure('blocked', 'Another run writes to this deployment. Wait until it is done, or stop it.')
      }
    }
    for (const { id, target } of wanted) this.active.set(id, { target, stop: false, ended: Promise.resolve() })
    return wanted.map(({ id }) => id)
  }

  private async orRelease(ids: readonly string[], stored: Promise<void>): Promise<void> {
    try {
      await stored
    } catch (error) {
      for (const id of ids) this.active.delete(id)
      throw error
    }
  }

  private launch(id: string): void {
    const control = this.active.get(id)
    if (!control) return
    control.ended = this.carryOut(id, control)
      .catch(async (error: unknown) => {
        this.parts.logger.error({ run: id, fault: error instanceof Error ? error.message : 'unknown' }, 'A run failed.')
        await this.parts.runs.setState(id, 'interrupted', null).catch(() => {})
      })
      .finally(() => this.active.delete(id))
  }

  private async carryOut(id: string, control: { stop: boolean }): Promise<void> {
    const { deployments, inventories, guardedWrites, runs } = this.parts
    const run = await runs.get(id)
    if (!run) return
    const stored = await runs.steps(id)
    const target = this.targetOf(run.connectionId, run.details)
    // Its plan was made a moment ago. Each step reads the record that it changes.
    const { inventory } = await inventories.read(run.connectionId, { maxAge: planFreshFor })
    const cause = { actor: run.details.resumedBy ?? run.details.actor, origin: run.kind, run: id }
    const port = createRecordPort(deployments, target, {
      send: async (operation) => {
        await this.refuseFormer(run)
        return deployments.write(this.writable(run.connectionId, run.details), { ...operation, cause })
      },
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
    const { links } = this.parts
    if (outcome.state !== 'done') return []
    const to = deploymentKey(target)
    if (step.action === 'delete') return [links.unlink(to, step.kind, outcome.id)]
    const origin = details.origins?.[step.key]
    if (!origin || details.fromDeployment === undefined || !step.after) return []
    const pair = { from: details.fromDeployment, to }
    return [
      links.link(pair, recordKey(origin.kind, origin.id), {
        id: outcome.id,
        base: asReturned(step.kind, step.nextBase ?? step.after),
      }),
    ]
  }
}

function newRunId(): string {
  return randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x')
}

/** A step as a resumed run sees it: what was done only tells the names of records. */
function remaining({ step, state, outcome }: StoredStep): PlanStep {
  if (state !== 'done' || outcome?.state !== 'done') return step
  return { ...step, action: 'same', id: outcome.id }
}
