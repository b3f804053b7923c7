/** Restores of a connection, or of single records, to what the history has. */
import type { z } from 'zod'
import type { restoreInput, restoreStart, Started, TargetPlan } from '#contract/console/runs.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { idOf } from '#domain/records/directory.ts'
import { noRecords, recordsOf, type Inventory } from '#domain/records/inventory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import { formatRecordName } from '#contract/wire/naming.ts'
import { choicesOf, type Plan } from '#domain/records/plan.ts'
import { planRestorationStepwise } from '#domain/records/restoration.ts'
import { withEntered } from '#domain/records/unreturned.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { runInTimeSlices, TimeSlice } from '#node/concurrency/timeSlices.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../../connections/connections.ts'
import { inventoryFreshFor, type Inventories } from '../../inventories/inventories.ts'
import { isDecided } from './decisions.ts'
import { locationOf } from '#contract/console/deployments.ts'
import type { RecordAt } from '../../history/historyQueries.ts'
import type { OpenHistory } from '../../history/openHistory.ts'
import { planView, refuseOther } from './planView.ts'
import type { Runner } from './runner.ts'
import type { Sender } from './runStore.ts'

type Input = z.output<typeof restoreInput>
type Start = z.output<typeof restoreStart>

interface RestoreDependencies {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  history: OpenHistory
  runner: Runner
}

export class Restores {
  readonly #dependencies: RestoreDependencies

  constructor(dependencies: RestoreDependencies) {
    this.#dependencies = dependencies
  }

  async plan(connectionId: string, input: Input): Promise<TargetPlan> {
    const target = this.#dependencies.connections.open(connectionId)
    const plan = await this.#planFor(target, input, isDecided(input) ? inventoryFreshFor : 0)
    return planView(target, plan, [], this.#dependencies.deployments.budgetOf(target).state())
  }

  /** @throws conflict if the plan is another one by now: nothing is started */
  async start(connectionId: string, input: Start, sender: Sender): Promise<Started> {
    const target = this.#dependencies.connections.open(connectionId)
    const plan = await this.#planFor(target, input, 0)
    refuseOther(plan, input.digests[connectionId])
    const details = { ...sender, continueOnFailure: input.continueOnFailure }
    return this.#dependencies.runner.start([{ kind: 'restore', target, steps: plan.steps, details }])
  }

  async #planFor(target: UpstreamTarget, input: Input, maxAge: number): Promise<Plan> {
    const { history, inventories } = this.#dependencies
    const { inventory: now } = await inventories.read(target.connectionId, { maxAge, priority: 'user' })
    // The latest read is part of the history before it is asked.
    await history.settled()
    const moment = await this.#momentOf(target, input, now)
    const chosen = input.records ?? input.versions
    const planning = planRestorationStepwise({ moment, target: now, chosen, choices: choicesOf(input.sides) })
    return withEntered(await runInTimeSlices(planning), input.entered)
  }

  /**
   * The records at the time, or the named versions among those of now. Records that the history has never seen stay as they
   * are: that it does not have them does not mean that they were not there. So do those whose version is damaged, unless they
   * are to be restored.
   */
  async #momentOf(
    target: UpstreamTarget,
    { time, versions, records: chosen }: Input,
    now: Inventory,
  ): Promise<Inventory> {
    const { deployment } = locationOf(target)
    const { history } = this.#dependencies
    const { present: at, known } = await history.queries.at(deployment, time ?? currentIsoTime())
    const named = new Map(versions?.map(({ kind, id, version }) => [`${kind} ${id}`, { kind, id, version }]))
    for (const { kind, version } of named.values()) {
      // As another kind, its secrets would be shown.
      if ((await history.queries.kindOf(deployment, version)) !== kind)
        throw failure('notFound', 'This version is no longer kept.')
    }
    const isWanted = ({ kind, id }: RecordAt) => {
      if (named.has(`${kind} ${id}`)) return true
      return time !== undefined && (!chosen || chosen.some((record) => record.kind === kind && record.id === id))
    }
    const others = at.filter(({ kind, id }) => !named.has(`${kind} ${id}`))
    const records = noRecords()
    const slice = new TimeSlice()
    for (const kind of recordKinds) {
      const found: JsonObject[] = []
      const left = new Set<string>()
      for (const restored of [...others, ...named.values()]) {
        if (restored.kind !== kind) continue
        const record = await history.versions.read(restored.version).catch(damagedIfDamaged)
        if (record === damaged) {
          if (isWanted(restored)) throw damagedVersion(kind, restored.id)
          left.add(restored.id)
          continue
        }
        if (!isPlainObject(record))
          throw failure('notFound', `A version of the ${formatRecordName(kind)} ${restored.id} is no longer kept.`)
        found.push({ ...record, id: restored.id })
        if (slice.isOver()) await slice.next()
      }
      const unseen = recordsOf(now, kind).filter((record) => {
        return left.has(idOf(record)) || !known.has(`${kind} ${idOf(record)}`)
      })
      records[kind] = [...found, ...unseen]
    }
    return { records }
  }
}

/** Stands for a version that cannot be read. */
const damaged = Symbol('damaged')

function damagedIfDamaged(error: unknown): typeof damaged {
  undefinedIfDamaged(error)
  return damaged
}

function damagedVersion(kind: RecordKind, id: string) {
  return failure(
    'failed',
    `The version of the ${formatRecordName(kind)} ${id} is damaged and cannot be read. Restore the others without it, or restore a backup of the console.`,
  )
}
