/** Makes a connection as a zip of files says: all records that the zip has, matched by id or by name. */
import type { z } from 'zod'
import {
  secretIdOf,
  type fileImportInput,
  type FileImportPlan,
  type fileImportStart,
} from '#contract/console/recordFiles.ts'
import type { Started } from '#contract/console/runs.ts'
import type { RecordFile } from '#domain/recordFiles/recordFiles.ts'
import { wantedRecords, type NeededSecret } from '#domain/recordFiles/wantedRecords.ts'
import type { SecretVariable } from '#domain/recordFiles/webhookSecrets.ts'
import { idOf, recordKey } from '#domain/records/directory.ts'
import { directoryOf, recordsOf } from '#domain/records/inventory.ts'
import { planChangesStepwise, type Plan, type PlanStep, type WantedRecord } from '#domain/records/plan.ts'
import { withEntered } from '#domain/records/unreturned.ts'
import { runInTimeSlices } from '#node/concurrency/timeSlices.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../../connections/connections.ts'
import { inventoryFreshFor, type Inventories } from '../../inventories/inventories.ts'
import type { RecordZips } from '../../recordFiles/recordZips.ts'
import { planView, refuseOther } from './planView.ts'
import type { Runner } from './runner.ts'
import type { Sender } from './runStore.ts'

type Input = z.output<typeof fileImportInput>
type Start = z.output<typeof fileImportStart>

interface ImportDependencies {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  runner: Runner
  zips: RecordZips
}

interface Planned {
  plan: Plan
  leftOut: PlanStep[]
  secrets: NeededSecret<RecordFile>[]
  files: number
}

export class FileImports {
  readonly #dependencies: ImportDependencies

  constructor(dependencies: ImportDependencies) {
    this.#dependencies = dependencies
  }

  async plan(connectionId: string, input: Input): Promise<FileImportPlan> {
    const target = this.#dependencies.connections.open(connectionId)
    const isChanged = input.prune || input.leaveOut || Object.keys({ ...input.secrets, ...input.entered }).length > 0
    const { plan, leftOut, secrets, files } = await this.#planFor(target, input, isChanged ? inventoryFreshFor : 0)
    return {
      ...planView(target, plan, [], this.#dependencies.deployments.budgetOf(target).state()),
      secrets: secrets.map((secret) => ({
        id: secretIdOf(secret.file.path, secret),
        name: secret.name,
        of: secret.of,
        isKnown: secret.isKnown,
      })),
      leftOut: leftOut.map(({ kind, name }) => ({ kind, name })),
      files,
    }
  }

  /** @throws conflict if the plan is another one by now: nothing is started */
  async start(connectionId: string, input: Start, sender: Sender): Promise<Started> {
    const target = this.#dependencies.connections.open(connectionId)
    const { plan } = await this.#planFor(target, input, 0)
    refuseOther(plan, input.digests[connectionId])
    const details = { ...sender, continueOnFailure: input.continueOnFailure }
    return this.#dependencies.runner.start([{ kind: 'fileImport', target, steps: plan.steps, details }])
  }

  async #planFor(target: UpstreamTarget, input: Input, maxAge: number): Promise<Planned> {
    // A file that cannot be read costs the deployment no request.
    const { files, kinds } = await this.#dependencies.zips.read(input.zip)
    const { inventory } = await this.#dependencies.inventories.read(target.connectionId, { maxAge, priority: 'user' })
    const secretOf = ({ path }: RecordFile, variable: SecretVariable) => input.secrets[secretIdOf(path, variable)]
    const { wanted, secrets } = await runInTimeSlices(wantedRecords(files, directoryOf(inventory), secretOf))
    const removals = input.prune
      ? kinds.flatMap((kind) => recordsOf(inventory, kind).map((row) => recordKey(kind, idOf(row))))
      : []
    const unknown = new Map(
      secrets.flatMap(({ isKnown, name, of }) => (isKnown ? [] : [[name, of] as const])).toReversed(),
    )
    const planOf: PlanOf = async (chosen, kept) => {
      const left = new Set(removals.filter((key) => !kept.has(key)))
      const plan = await runInTimeSlices(planChangesStepwise({ wanted: chosen, target: inventory, removals: left }))
      return withoutUnknown(plan, unknown)
    }
    const settled = input.leaveOut
      ? await whatCan(wanted, planOf)
      : { plan: await planOf(wanted, new Set()), leftOut: [] }
    return { ...settled, plan: withEntered(settled.plan, input.entered), secrets, files: files.length }
  }
}

type PlanOf = (wanted: readonly WantedRecord[], kept: ReadonlySet<string>) => Promise<Plan>

/** The plan without records that cannot be written, and without those that need them. What the target has of them stays. */
async function whatCan(wanted: readonly WantedRecord[], planOf: PlanOf): Promise<{ plan: Plan; leftOut: PlanStep[] }> {
  const leftOut: PlanStep[] = []
  const kept = new Set<string>()
  for (let left = wanted; ;) {
    const plan = await planOf(left, kept)
    const stuck = new Map(plan.steps.filter(isStuck).map((step) => [step.key, step]))
    if (stuck.size === 0) return { plan, leftOut }
    leftOut.push(...stuck.values())
    for (const { kind, id } of stuck.values()) if (id !== null) kept.add(recordKey(kind, id))
    left = left.filter(({ kind, name }) => !stuck.has(`${kind}/${name}`))
  }
}

function isStuck({ action, missing, blocked }: PlanStep): boolean {
  return action !== 'same' && (missing.length > 0 || blocked !== undefined)
}

/** A webhook cannot be written without its URL, nor with a variable in place of its key. */
function withoutUnknown(plan: Plan, unknown: ReadonlyMap<string, SecretVariable['of']>): Plan {
  if (unknown.size === 0) return plan
  const steps = plan.steps.map((step) => {
    const isWritten = step.kind === 'webhooks' && (step.action === 'create' || step.action === 'update')
    const needed = isWritten ? unknown.get(step.name) : undefined
    if (needed === undefined) return step
    const what = needed === 'url' ? 'URL' : 'integration key'
    return { ...step, blocked: step.blocked ?? `needs its ${what}, which the file does not have` }
  })
  return { ...plan, steps, ready: plan.ready && !steps.some(({ blocked }) => blocked !== undefined) }
}
