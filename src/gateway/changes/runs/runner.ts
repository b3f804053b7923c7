/** Starts, stops and resumes runs. One run at a time writes to a deployment, and only to the one that it was planned for. */
import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { recordKey } from '#domain/records/directory.ts'
import type { PlanStep } from '#domain/records/plan.ts'
import { runPlan, type StepOutcome } from '#domain/records/run.ts'
import { asDeploymentReturns } from '#domain/records/unreturned.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { createRecordPort } from '#node/upstream/recordPort.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Started } from '#contract/console/runs.ts'
import type { HeldChange } from '#contract/wire/kernel.ts'
import { refuseBeyond } from '../../identity/access/access.ts'
import { breakGlassApproval, type TwoPersonApproval } from '../../approvals/twoPersonApproval.ts'
import type { ApprovalQueue } from '../../approvals/approvalQueue.ts'
import type { CurrentAccess } from '../../identity/people/currentAccess.ts'
import type { Connections } from '../../connections/connections.ts'
import type { Statement } from '../../database/database.ts'
import type { Inventories } from '../../inventories/inventories.ts'
import type { GuardedWrites } from '../../resources/guardedWrites.ts'
import { locationOf, sharesRecords } from '#contract/console/deployments.ts'
import { deploymentKey, type LinkStore } from './linkStore.ts'
import type { RunDetails, RunKind, RunStore, Sender, StoredRun, StoredStep } from './runStore.ts'

/** Milliseconds for which a run uses the records that its plan was made from. */
const planFreshFor = 5000

export interface RunnerDependencies {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  guardedWrites: GuardedWrites
  runs: RunStore
  links: LinkStore
  currentAccess: CurrentAccess
  twoPersonApproval: TwoPersonApproval
  approvalQueue: ApprovalQueue
  logger: FastifyBaseLogger
}

export interface NewRun {
  /** Default: a new one. */
  id?: string | undefined
  kind: RunKind
  /** The deployment that the plan was made for. */
  target: UpstreamTarget
  steps: readonly PlanStep[]
  details: Omit<RunDetails, 'deployment'> & Sender
}

/** The approval of a run's writes: `WriteCause.approval`, where the connection needs one. */
interface Permit {
  approval?: string
}

/** A run under way. */
interface Active {
  target: UpstreamTarget
  stop: boolean
  ended: Promise<void>
}

export class Runner {
  /** Runs under way, by their IDs. */
  readonly #active = new Map<string, Active>()
  #closing = false
  readonly #parts: RunnerDependencies

  constructor(parts: RunnerDependencies) {
    this.#parts = parts
  }

  /**
   * Stores runs and starts them: all or none. Runs that need approval become change requests instead.
   * @throws readOnly, invalid for two runs on one deployment, or blocked while another run writes to one
   */
  async start(newRuns: readonly NewRun[]): Promise<Started> {
    const permits = await Promise.all(newRuns.map(({ target, details }) => this.#permitOf(target, details)))
    const waiting = newRuns.filter((_, index) => permits[index] === null)
    const ready = newRuns.flatMap((run, index) => {
      const permit = permits[index]
      return permit ? [{ id: newRunId(), ...run, permit }] : []
    })
    const reserved = this.#reserve(
      ready.map(({ id, target, permit }) => ({
        id,
        target: this.#writable(target.connectionId, locationOf(target), permit),
      })),
    )
    const held = await this.#orRelease(reserved, this.#hold(waiting))
    const startedAt = currentIsoTime()
    const created = ready.map(({ id, kind, target, steps, details }) => ({
      id,
      kind,
      state: 'running' as const,
      connectionId: target.connectionId,
      startedAt,
      details: { ...withoutAuthor(details), deployment: locationOf(target).deployment },
      place: locationOf(target),
      steps: steps.filter(({ action }) => action !== 'same'),
    }))
    await this.#orRelease(reserved, created.length > 0 ? this.#parts.runs.create(created) : Promise.resolve())
    for (const id of reserved) this.#launch(id)
    return { runs: reserved, held }
  }

  /** Carries out the steps that are left. What was written already is found, and not written again. @throws DamagedRow */
  async resume(run: StoredRun, { actor, personId, by }: Sender): Promise<void> {
    if (run.state === 'done' || isUnderWay(run)) {
      throw failure('blocked', 'Only a run that was stopped, interrupted or failed can be resumed.')
    }
    // From now on it writes with the role of whoever resumed it.
    const details = { ...run.details, by, personId, resumedBy: actor }
    const permit = await this.#permitOf(this.targetOf(run.connectionId, run.details), details)
    if (!permit) throw needsApproval()
    const target = this.#writable(run.connectionId, run.details, permit)
    // Fails now for a damaged step, and not after the others were written.
    await this.#parts.runs.steps(run.id)
    const reserved = this.#reserve([{ id: run.id, target }])
    await this.#orRelease(reserved, this.#parts.runs.resume(run.id, locationOf(target), details))
    this.#launch(run.id)
  }

  /** Ends a run after the step that is under way. */
  async stop(run: StoredRun): Promise<void> {
    const active = this.#active.get(run.id)
    if (active) active.stop = true
    else if (!isUnderWay(this.actual(run))) throw failure('blocked', 'This run is not under way.')
    await this.#parts.runs.noteStopping(run.id)
  }

  /**
   * A run as it is. One of this console that ended while its state could not be stored is interrupted. One whose end is stored
   * is under way until its deployment is free for another run: whoever sees it end may start or resume one at once.
   */
  actual(run: StoredRun): StoredRun {
    const isActive = this.#active.has(run.id)
    if (isUnderWay(run))
      return isActive || run.owner !== this.#parts.runs.owner ? run : { ...run, state: 'interrupted' }
    return isActive ? { ...run, state: 'running' } : run
  }

  /** Stops the runs of this console that were stopped on another one, and interrupts those of consoles that have ended. */
  async follow(): Promise<void> {
    for (const id of await this.#parts.runs.stopping()) {
      const active = this.#active.get(id)
      if (active) active.stop = true
    }
    await this.#parts.runs.settleInterrupted()
  }

  /** The deployment that a run was planned for. @throws blocked if its connection leads to another one by now */
  targetOf(connectionId: string, { deployment }: Pick<RunDetails, 'deployment'>): UpstreamTarget {
    const target = this.#parts.connections.open(connectionId)
    if (deployment === undefined || locationOf(target).deployment === deployment) return target
    throw failure('blocked', 'This connection leads to another deployment by now. Nothing was sent to it.')
  }

  /** Ends all runs after their current steps; the next start shows them as interrupted. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([...this.#active.values()].map(({ ended }) => ended))
  }

  /** Roles may change while a run is under way. @throws forbidden if whoever started or resumed it may not write any more */
  async #refuseFormer({ connectionId, details }: StoredRun): Promise<void> {
    const { by = null, approval } = details
    for (const principal of approval ? [by, approval.by] : [by]) {
      const access = await this.#parts.currentAccess.accessOf(principal)
      const name = principal === by ? (details.resumedBy ?? details.actor) : 'Who approved it'
      if (!access) throw failure('forbidden', `${name} may not use the console any more.`)
      refuseBeyond(access, this.#parts.connections, connectionId, 'write')
    }
  }

  /** The current approval of a run's writes; null if it needs approval. */
  async #permitOf(
    target: UpstreamTarget,
    { approval, by, author }: Pick<NewRun['details'], 'approval' | 'by' | 'author'>,
  ): Promise<Permit | null> {
    const route = await this.#parts.twoPersonApproval.routeOfWrite(target, author ?? requesterOf(by))
    if (route === 'breakGlass') return { approval: breakGlassApproval }
    // Also where none is needed any more, or only an agent needed it: its approval takes the place of the lock of production.
    if (approval) return { approval: `request ${approval.number}` }
    return route === 'direct' ? {} : null
  }

  async #hold(runs: readonly NewRun[]): Promise<HeldChange[]> {
    const held: HeldChange[] = []
    for (const { kind, target, steps, details } of runs) {
      if (!details.author) throw needsApproval()
      held.push(
        await this.#parts.approvalQueue.holdRun(details.author, {
          kind,
          target,
          steps,
          details: withoutAuthor(details),
        }),
      )
    }
    return held
  }

  /** Approval takes the place of the lock that production has by itself. */
  #writable(connectionId: string, planned: Pick<RunDetails, 'deployment'>, permit: Permit): UpstreamTarget {
    const target = this.targetOf(connectionId, planned)
    const isApproved = permit.approval !== undefined && this.#parts.connections.stageOf(connectionId) === 'production'
    if (!target.readOnly || isApproved) return target
    throw failure('readOnly', 'This connection is read-only. Nothing was changed.')
  }

  /** From now on no other run writes to these deployments. Without a pause, so that two starts at once cannot both pass. */
  #reserve(wanted: readonly { id: string; target: UpstreamTarget }[]): string[] {
    if (this.#closing) throw failure('blocked', 'The console is being stopped. Nothing was started.')
    for (const [index, { target }] of wanted.entries()) {
      if (wanted.slice(0, index).some((other) => sharesRecords(target, other.target))) {
        throw failure('invalid', 'Two of the targets are the same deployment. Choose one of them. Nothing was started.')
      }
      if ([...this.#active.values()].some((other) => sharesRecords(target, other.target))) {
        throw failure('blocked', 'Another run writes to this deployment. Wait until it is done, or stop it.')
      }
    }
    for (const { id, target } of wanted) this.#active.set(id, { target, stop: false, ended: Promise.resolve() })
    return wanted.map(({ id }) => id)
  }

  async #orRelease<T>(ids: readonly string[], stored: Promise<T>): Promise<T> {
    try {
      return await stored
    } catch (error) {
      for (const id of ids) this.#active.delete(id)
      throw error
    }
  }

  #launch(id: string): void {
    const control = this.#active.get(id)
    if (!control) return
    control.ended = this.#carryOut(id, control)
      .catch(async (error: unknown) => {
        this.#parts.logger.error(
          { run: id, fault: error instanceof Error ? error.message : 'unknown' },
          'A run failed.',
        )
        await this.#parts.runs.setState(id, 'interrupted', null).catch(() => {})
      })
      .finally(() => this.#active.delete(id))
  }

  async #carryOut(id: string, control: { stop: boolean }): Promise<void> {
    const { deployments, inventories, guardedWrites, runs } = this.#parts
    const run = await runs.get(id)
    if (!run) return
    const stored = await runs.steps(id)
    const target = this.targetOf(run.connectionId, run.details)
    // A new run may use the records of its plan. A resumed one reads again: they may be older than its last write. Each step
    // reads the record that it changes.
    const isNew = stored.every(({ state }) => state === 'waiting')
    const { inventory } = await inventories.read(run.connectionId, { maxAge: isNew ? planFreshFor : 0 })
    const { actor, resumedBy = actor, personId = null } = run.details
    const cause = { actor: resumedBy, personId, origin: run.kind, run: id }
    const port = createRecordPort(deployments, target, {
      send: async (operation) => {
        await this.#refuseFormer(run)
        const permit = await this.#permitOf(target, run.details)
        if (!permit) throw needsApproval()
        return deployments.write(this.#writable(run.connectionId, run.details, permit), {
          ...operation,
          cause: { ...cause, ...permit },
        })
      },
      hold: (location, task) => guardedWrites.hold(target, location, task),
    })
    const positions = new Map(stored.map(({ step, position }) => [step.key, position]))
    const outcomes = await runPlan(stored.map(remaining), inventory, port, {
      begin: (step) => runs.begin(id, positions.get(step.key) ?? -1, step.alike && step),
      settle: (step, outcome) =>
        runs.settle(id, positions.get(step.key) ?? -1, outcome, this.#statementsOf(run, target, step, outcome)),
      isStopped: () => control.stop || this.#closing,
      continueOnFailure: run.details.continueOnFailure,
    })
    const left = stored.filter(({ step, state }) => state !== 'done' && outcomes.get(step.key)?.state !== 'done')
    await this.#finish(run, left.length === 0, control.stop, outcomes)
  }

  async #finish(
    { id, details }: StoredRun,
    isDone: boolean,
    isStopped: boolean,
    outcomes: ReadonlyMap<string, StepOutcome>,
  ): Promise<void> {
    const { runs } = this.#parts
    const failed = [...outcomes.values()].some(({ state }) => state !== 'done')
    const state = isDone ? 'done' : failed ? 'failed' : isStopped ? 'stopped' : 'interrupted'
    await runs.setState(id, state, currentIsoTime())
    const undone = details.undoes === undefined ? undefined : await runs.get(details.undoes)
    if (undone && isDone) await runs.setDetails(undone.id, { ...undone.details, undoneBy: id })
  }

  /** Statements that store what a step tells: which record is a copy of which, their common content, or that a record is gone. */
  #statementsOf({ details }: StoredRun, target: UpstreamTarget, step: PlanStep, outcome: StepOutcome): Statement[] {
    const { links } = this.#parts
    if (outcome.state !== 'done') return []
    const to = deploymentKey(target)
    if (step.action === 'delete') return [links.unlink(to, step.kind, outcome.id)]
    const origin = details.origins?.[step.key]
    if (!origin || details.fromDeployment === undefined || !step.after) return []
    const pair = { from: details.fromDeployment, to }
    return [
      links.link(pair, recordKey(origin.kind, origin.id), {
        id: outcome.id,
        base: asDeploymentReturns(step.kind, step.nextBase ?? step.after),
      }),
    ]
  }
}

function isUnderWay({ state }: StoredRun): boolean {
  return state === 'running' || state === 'stopping'
}

/** The person who started or resumed a run, whose break-glass counts. Tokens have none. */
function requesterOf(by: string | undefined) {
  const [kind, id] = by?.split(' ') ?? []
  return { personId: kind === 'person' && id !== undefined ? id : null, isToken: kind === 'token' }
}

function withoutAuthor(details: NewRun['details']): Omit<NewRun['details'], 'author'> {
  const { author: _author, ...rest } = details
  return rest
}

function needsApproval() {
  return failure(
    'blocked',
    'Changes of this connection need approval, which this run does not have. Plan it again: it becomes a change request.',
  )
}

function newRunId(): string {
  return randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x')
}

/** A step as a resumed run sees it: what was done only tells the names of records. */
function remaining({ step, state, outcome }: StoredStep): PlanStep {
  if (state !== 'done' || outcome?.state !== 'done') return step
  return { ...step, action: 'same', id: outcome.id }
}
