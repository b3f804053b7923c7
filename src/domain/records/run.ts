/** Carries out a plan, one step after another. What reaches the deployment goes through a port. */
import type { JsonObject } from '../json/json.ts'
import { api } from '#contract/index.ts'
import { bodyOf } from './body.ts'
import { comparableOf, differences } from './comparable.ts'
import { idOf, isRecordWithId, recordKey, type Directory } from './directory.ts'
import { directoryOf, type Inventory } from './inventory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import { fieldsNotKept } from './fieldsNotKept.ts'
import type { PlanStep } from './plan.ts'
import { rewriteReferences } from './references.ts'
import { asDeploymentReturns } from './unreturned.ts'

/** The requests of a run. Errors are thrown, and end the step. */
export interface RecordPort {
  /** The stored record; null if there is none. Never a shared or earlier read. */
  read(kind: RecordKind, id: string): Promise<JsonObject | null>
  list(kind: RecordKind): Promise<readonly JsonObject[]>
  create(kind: RecordKind, body: JsonObject): Promise<unknown>
  update(kind: RecordKind, id: string, body: JsonObject): Promise<unknown>
  remove(kind: RecordKind, id: string): Promise<unknown>
  /** Keeps other writes of the record away while a step reads, compares and writes it. */
  hold<T>(kind: RecordKind, id: string, task: () => Promise<T>): Promise<T>
  /** Whether an error leaves open if the deployment changed something. */
  isUnknown(error: unknown): boolean
  /** The error in a sentence for people. */
  explain(error: unknown): string
}

export type StepOutcome =
  /**
   * `found`: the deployment already had it, so nothing was sent, or the response was lost and a check found it. `notKept`: paths of
   * the fields that were sent and are not stored.
   */
  | { state: 'done'; id: string; found?: boolean; previous: JsonObject | null; notKept?: readonly string[] }
  | { state: 'failed' | 'skipped'; reason: string }

export interface RunControl {
  /** Called before the first request of a step, with `alike` if it creates a record. Store the step: a resumed run needs it. */
  begin(step: PlanStep): void | Promise<void>
  settle(step: PlanStep, outcome: StepOutcome): void | Promise<void>
  /** Asked before each step. */
  isStopped(): boolean
  /** Steps that do not depend on a failed one are carried out all the same. */
  continueOnFailure: boolean
}

interface Written {
  found: boolean
  notKept: string[]
}

/** A step cannot be carried out. The message is for people. */
class StepFailed extends Error {
  override name = 'StepFailed'
}

/**
 * Carries out the steps that change something, in their order. Safe to repeat: what is already as wanted is not sent again.
 * @param target as read right before the run
 */
export async function runPlan(
  steps: readonly PlanStep[],
  target: Inventory,
  port: RecordPort,
  control: RunControl,
): Promise<ReadonlyMap<string, StepOutcome>> {
  const run = new Run(steps, target, port)
  const outcomes = new Map<string, StepOutcome>()
  for (const [index, step] of steps.entries()) {
    if (step.action === 'same') continue
    if (control.isStopped()) break
    const begun = run.begun(step)
    await control.begin(begun)
    // Without the new `alike`: only a step that an earlier process began can have created its record.
    const outcome = await run.carryOut(step, outcomes)
    outcomes.set(step.key, outcome)
    await control.settle(step, outcome)
    if (outcome.state === 'failed' && !control.continueOnFailure) break
    if (steps[index + 1]?.kind !== step.kind) await run.completeReferences(outcomes, control)
  }
  await run.completeReferences(outcomes, control)
  return outcomes
}

class Run {
  /** As it was before the run: what a step expects is written in its names. */
  readonly #before: Directory
  readonly #now: Directory
  /** Records that were written without references to later ones. */
  #incomplete: PlanStep[] = []
  readonly #steps: readonly PlanStep[]
  readonly #port: RecordPort

  constructor(steps: readonly PlanStep[], target: Inventory, port: RecordPort) {
    this.#steps = steps
    this.#port = port
    const names = steps.flatMap(({ kind, id, name, after }) =>
      id === null || after === null ? [] : [[recordKey(kind, id), name] as const],
    )
    this.#before = directoryOf(target, new Map(names))
    this.#now = directoryOf(target, new Map(names))
  }

  /** A step as it is to be stored before its first request. */
  begun(step: PlanStep): PlanStep {
    return step.action === 'create' ? { ...step, alike: step.alike ?? this.#idsOfSameContent(step) } : step
  }

  async carryOut(step: PlanStep, outcomes: ReadonlyMap<string, StepOutcome>): Promise<StepOutcome> {
    try {
      if (step.blocked !== undefined) return { state: 'failed', reason: step.blocked }
      const waiting = this.#failedDependency(step, outcomes)
      if (waiting) return { state: 'skipped', reason: waiting }
      switch (step.action) {
        case 'create':
          return await this.#create(step)
        case 'update':
          return await this.#port.hold(step.kind, step.id ?? '', () => this.#update(step))
        case 'delete':
          return await this.#port.hold(step.kind, step.id ?? '', () => this.#remove(step))
        case 'same':
          return { state: 'done', id: step.id ?? '', found: true, previous: null }
      }
    } catch (error) {
      return { state: 'failed', reason: error instanceof StepFailed ? error.message : this.#port.explain(error) }
    }
  }

  /** Gives records their references to records that were created after them. */
  async completeReferences(outcomes: Map<string, StepOutcome>, control: RunControl): Promise<void> {
    const steps = this.#incomplete
    this.#incomplete = []
    for (const step of steps) {
      const { key, kind, name, after } = step
      const id = this.#now.id(kind, name)
      const stored = id === undefined ? undefined : this.#now.get(kind, id)
      if (id === undefined || !stored || !after) continue
      try {
        await this.#write(step, id, after, stored)
      } catch (error) {
        const outcome = { state: 'failed', reason: this.#port.explain(error) } as const
        outcomes.set(key, outcome)
        await control.settle(step, outcome)
      }
    }
  }

  async #create(step: PlanStep, previous: JsonObject | null = null): Promise<StepOutcome> {
    const { kind, name, after } = step
    if (!after) throw new StepFailed('The plan does not say what to create.')
    const { body, missing } = bodyOf(kind, after, this.#now)
    if (missing.length > 0) this.#incomplete.push(step)
    const existing = this.#now.id(kind, name)
    if (existing !== undefined && this.#isOurs(step, this.#now.get(kind, existing))) {
      return { state: 'done', id: existing, found: true, previous: null }
    }
    const left = step.alike && this.#idsOfSameContent(step).find((id) => !step.alike?.includes(id))
    const record = left === undefined ? undefined : this.#now.get(kind, left)
    if (left !== undefined && record) {
      this.#now.put(kind, record, name)
      return { state: 'done', id: left, found: true, previous }
    }
    if (existing !== undefined) {
      throw new StepFailed(`A ${formatRecordName(kind)} of this name was created after the plan was made. Plan again.`)
    }
    const created = await this.#settled(step, () => this.#port.create(kind, body))
    this.#now.put(kind, created.record, name)
    const notKept = fieldsNotKept(api[kind].create, body, created.record)
    return { state: 'done', id: created.record.id, previous, ...noteOfWrite(created.found, notKept) }
  }

  /** The IDs of the records with the content that a step creates, except those of other steps. */
  #idsOfSameContent(step: PlanStep): string[] {
    const { kind, after } = step
    const others = new Set(this.#steps.flatMap((other) => (other.kind === kind && other.id !== null ? [other.id] : [])))
    const named = this.#now.all(kind).filter((record) => (record['name'] ?? null) === (after?.['name'] ?? null))
    return named.flatMap((record) => (!others.has(idOf(record)) && this.#isOurs(step, record) ? [idOf(record)] : []))
  }

  async #update(step: PlanStep): Promise<StepOutcome> {
    const { kind, id, after } = step
    if (id === null || !after) throw new StepFailed('The plan does not say what to change.')
    const current = await this.#port.read(kind, id)
    if (!current) {
      // Deployments delete the alerts of a tile with the tile (docs/DEPLOYMENTS.md#deletion-and-references).
      if (kind === 'alerts' && this.#changesDashboardOf(step)) {
        this.#now.remove(kind, id)
        return this.#create(step, this.#before.get(kind, id) ?? null)
      }
      throw new StepFailed(`The ${formatRecordName(kind)} was deleted after the plan was made. Plan again.`)
    }
    this.#now.put(kind, current)
    if (this.#isAsWanted(step, current)) return { state: 'done', id, found: true, previous: current }
    this.#refuseChanged(step, current)
    const { found, notKept } = await this.#write(step, id, after, current)
    return { state: 'done', id, previous: current, ...noteOfWrite(found, notKept) }
  }

  async #remove({ kind, id, ...step }: PlanStep): Promise<StepOutcome> {
    if (id === null) throw new StepFailed('The plan does not say what to delete.')
    const current = await this.#port.read(kind, id)
    if (current) {
      this.#refuseChanged({ kind, id, ...step }, current)
      try {
        await this.#port.remove(kind, id)
      } catch (error) {
        if (!this.#port.isUnknown(error) || (await this.#port.read(kind, id))) throw error
      }
    }
    this.#now.remove(kind, id)
    return {
      state: 'done',
      id,
      previous: current ?? this.#before.get(kind, id) ?? null,
      ...(!current && { found: true }),
    }
  }

  /** Sends an update. `found`: its response was lost, and a check found it applied. */
  async #write(step: PlanStep, id: string, after: JsonObject, current: JsonObject): Promise<Written> {
    const { kind, original } = step
    const { body, missing } = bodyOf(kind, after, this.#now, current, original)
    if (missing.length > 0) this.#incomplete.push(step)
    let found = false
    const reply = await this.#port.update(kind, id, body).catch(async (error: unknown) => {
      if (!this.#port.isUnknown(error)) throw error
      const stored = await this.#port.read(kind, id)
      if (!stored || !this.#isOurs(step, stored)) throw error
      found = true
      return stored
    })
    const stored = isRecordWithId(reply) ? reply : await this.#port.read(kind, id)
    if (stored) this.#now.put(kind, stored)
    return { found, notKept: fieldsNotKept(api[kind].update, body, stored) }
  }

  /** The created record. After a lost response it is looked for: it is new, and as wanted. */
  async #settled(step: PlanStep, send: () => Promise<unknown>) {
    try {
      const reply = await send()
      if (isRecordWithId(reply)) return { record: reply, found: false }
    } catch (error) {
      if (!this.#port.isUnknown(error)) throw error
      const record = await this.#created(step)
      if (record) return { record, found: true }
      throw error
    }
    const record = await this.#created(step)
    if (record) return { record, found: false }
    throw new StepFailed('The deployment did not return the new record, and its list does not have it.')
  }

  async #created(step: PlanStep) {
    const rows = await this.#port.list(step.kind)
    const fresh = rows.filter(isRecordWithId).filter(({ id }) => !this.#now.get(step.kind, id))
    return fresh.find((row) => this.#isOurs(step, row))
  }

  #isAsWanted({ kind, after }: PlanStep, record: JsonObject | undefined): boolean {
    return (
      !!record &&
      !!after &&
      differences(comparableOf(kind, record, this.#now), asDeploymentReturns(kind, after)).length === 0
    )
  }

  /** Whether a record is what the step creates, perhaps without references to records that are not there yet. */
  #isOurs(step: PlanStep, record: JsonObject | undefined): boolean {
    const { kind, after } = step
    if (!record || !after) return false
    const references = { from: 'name', to: 'name' } as const
    const present = rewriteReferences(kind, after, references, (reference) =>
      this.#now.idOf(reference) === null ? undefined : null,
    )
    return this.#isAsWanted(step, record) || this.#isAsWanted({ ...step, after: present }, record)
  }

  #refuseChanged({ kind, before }: PlanStep, current: JsonObject): void {
    if (before && differences(before, comparableOf(kind, current, this.#before)).length === 0) return
    throw new StepFailed(
      `The ${formatRecordName(kind)} was changed after the plan was made. Plan again to see the change.`,
    )
  }

  #changesDashboardOf({ before }: PlanStep): boolean {
    return this.#steps.some(
      ({ kind, name, action }) => kind === 'dashboards' && action === 'update' && name === before?.['dashboard'],
    )
  }

  #failedDependency(step: PlanStep, outcomes: ReadonlyMap<string, StepOutcome>): string | null {
    if (!step.after) return null
    const { missing } = bodyOf(step.kind, step.after, this.#now)
    for (const { kind, value, dashboard } of missing) {
      const owner = kind === 'tiles' ? `dashboards/${dashboard}` : `${kind}/${value}`
      const state = outcomes.get(owner)?.state
      if (state === 'failed' || state === 'skipped')
        return `It needs ${kind === 'tiles' ? dashboard : value}, which was not written.`
    }
    return null
  }
}

function noteOfWrite(found: boolean, notKept: readonly string[]) {
  return { ...(found && { found }), ...(notKept.length > 0 && { notKept }) }
}
