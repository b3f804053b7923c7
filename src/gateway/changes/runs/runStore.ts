/** Runs and their steps on the disk. A step is stored before its first request and after its last. */
import { z } from 'zod'
import type { runStates } from '#contract/console/runs.ts'
import type { RecordId } from '#domain/records/closure.ts'
import type { PlanStep } from '#domain/records/plan.ts'
import type { StepOutcome } from '#domain/records/run.ts'
import type { ChangeAuthor } from '../../approvals/twoPersonApproval.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { DamagedRow } from '#node/database/damagedRows.ts'
import type { Statements } from '#node/database/statements.ts'
import { ownerHasEnded, type OwnWrites } from '../../cluster/ownWrites.ts'
import type { Database, Row, Statement } from '../../database/database.ts'
import type { DeploymentLocation } from '#contract/console/deployments.ts'
import type { SealedJson } from '../../database/sealedJson.ts'
import { StoredRows } from '../../database/storedRows.ts'

export type RunState = (typeof runStates)[number]
export type RunKind = 'promotion' | 'restore' | 'undo' | 'fileImport'

/** Who starts or resumes a run. */
export interface Sender {
  actor: string
  /** The ID of the person; null without an account, and absent from runs that earlier versions stored. */
  personId: string | null | undefined
  /** The principal; absent without an account. Its access is checked again before every write. */
  by?: string | undefined
  /** Their comment on it, if it needs approval. Not stored. */
  author?: ChangeAuthor | undefined
}

export interface RunDetails extends Omit<Sender, 'author'> {
  /** Who resumed it last. */
  resumedBy?: string | undefined
  continueOnFailure: boolean
  /** `Place.deployment` of what the run was planned for: the connection may lead to another one later. */
  deployment?: string | undefined
  /** The connection that a promotion copies from; also set for its undo. */
  from?: string | undefined
  /** The `deploymentKey` of that connection, which may be removed before the run ends. */
  fromDeployment?: string | undefined
  /** The records on that connection, by the key of the step. */
  origins?: Record<string, RecordId> | undefined
  /** The number of the approved change request, and the principal that approved it. */
  approval?: { number: number; by: string } | undefined
  undoes?: string | undefined
  undoneBy?: string | undefined
}

export interface StoredRun {
  id: string
  number: number
  kind: RunKind
  state: RunState
  connectionId: string
  startedAt: string
  finishedAt: string | undefined
  /** The ID of the console that carries it out, or did so last. */
  owner: string | null
  details: RunDetails
}

type NewStoredRun = Omit<StoredRun, 'number' | 'finishedAt' | 'owner'> & {
  place: DeploymentLocation
  steps: readonly PlanStep[]
}

export type StepState = 'waiting' | 'running' | StepOutcome['state']

export interface StoredStep {
  position: number
  state: StepState
  step: PlanStep
  outcome: StepOutcome | undefined
}

export interface ShownSteps {
  steps: StoredStep[]
  /** The message names the step. */
  damaged: { position: number; message: string }[]
}

/** Runs that are kept, with their steps; older ones are removed when a new one starts. */
const maxRuns = 500

const runRow = z.object({
  id: z.string(),
  number: z.coerce.number(),
  kind: z.enum(['promotion', 'restore', 'undo', 'fileImport']),
  state: z.enum(['running', 'stopping', 'stopped', 'interrupted', 'failed', 'done']),
  connection_id: z.string(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  owner: z.string().nullable(),
  details: z.instanceof(ArrayBuffer),
})
const stepRow = z.object({
  position: z.coerce.number(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'skipped']),
  outcome: z.instanceof(ArrayBuffer).nullable(),
  step: z.instanceof(ArrayBuffer),
})

export class RunStore {
  readonly #database: Database
  readonly #stored: StoredRows
  readonly #storedSteps: StoredRows
  readonly #own: OwnWrites
  readonly #sealed: SealedJson

  constructor(own: OwnWrites, sealed: SealedJson) {
    this.#own = own
    this.#sealed = sealed
    this.#database = own.database
    this.#stored = new StoredRows(own, 'runs')
    this.#storedSteps = new StoredRows(own, 'run_steps')
  }

  /** The console that carries out the runs of this process. */
  get owner(): string | null {
    return this.#own.owner
  }

  /** Runs that were under way when their console ended wait for somebody to resume them. */
  async settleInterrupted(): Promise<void> {
    const left = `state IN ('running', 'stopping') AND ${ownerHasEnded}`
    if ((await this.#database.rows(`SELECT 1 FROM runs WHERE ${left} LIMIT 1`)).length === 0) return
    await this.#own.write({ sql: `UPDATE runs SET state = 'interrupted' WHERE ${left}` })
  }

  /**
   * Stores runs with all their steps, all waiting: all runs or none. Their numbers are the next ones.
   * @throws blocked while a run of another console writes to one of the deployments
   */
  async create(runs: readonly NewStoredRun[]): Promise<void> {
    await this.#own.transact(async (transaction) => {
      for (const run of runs) await this.#refuseSecond(transaction, run.id, run.place)
      for (const run of runs) {
        const { id, kind, state, connectionId, startedAt, details, place } = run
        await transaction.run(
          `INSERT INTO runs (id, number, kind, state, connection_id, started_at, details, owner, deployment, origin)
            VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM runs), ?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            id,
            kind,
            state,
            connectionId,
            startedAt,
            this.#sealed.seal(id, details),
            this.owner,
            place.deployment,
            place.origin,
          ],
        )
        for (const [position, step] of run.steps.entries()) {
          await transaction.run("INSERT INTO run_steps (run_id, position, state, step) VALUES (?, ?, 'waiting', ?)", [
            id,
            position,
            this.#sealed.seal(`${id} ${position}`, step),
          ])
        }
      }
      await transaction.run('DELETE FROM runs WHERE number <= (SELECT max(number) FROM runs) - ?', [maxRuns])
    })
  }

  /**
   * Makes a run that is not under way here one of this console.
   * @throws blocked if it is under way on another one, or another one writes to the deployment
   */
  async resume(id: string, place: DeploymentLocation, details: RunDetails): Promise<void> {
    await this.#own.transact(async (transaction) => {
      await this.#refuseSecond(transaction, id, place)
      const resumed = await transaction.run(
        `UPDATE runs SET state = 'running', finished_at = NULL, details = ?, owner = ?, deployment = ?, origin = ?
          WHERE id = ? AND state <> 'done' AND (state NOT IN ('running', 'stopping') OR owner = ?)`,
        [this.#sealed.seal(id, details), this.owner, place.deployment, place.origin, id, this.owner],
      )
      if (resumed === 0) throw failure('blocked', 'This run is under way or done by now.')
    })
  }

  async setState(id: string, state: RunState, finishedAt: string | null): Promise<void> {
    await this.#own.write({
      sql: 'UPDATE runs SET state = ?, finished_at = ? WHERE id = ?',
      args: [state, finishedAt, id],
    })
  }

  /** Shows that a run ends after its present step, unless it has ended. Its console looks for it every second. */
  async noteStopping(id: string): Promise<void> {
    await this.#own.write({
      sql: "UPDATE runs SET state = 'stopping' WHERE id = ? AND state = 'running'",
      args: [id],
    })
  }

  /** The IDs of the runs of this console that somebody stopped. */
  async stopping(): Promise<string[]> {
    const rows = await this.#database.rows("SELECT id FROM runs WHERE state = 'stopping' AND owner = ?", [this.owner])
    return rows.map((row) => String(row['id']))
  }

  async setDetails(id: string, details: RunDetails): Promise<void> {
    await this.#own.write({
      sql: 'UPDATE runs SET details = ? WHERE id = ?',
      args: [this.#sealed.seal(id, details), id],
    })
  }

  /** Marks a step as running. @param step stored in place of the planned one, for a resumed run */
  async begin(id: string, position: number, step?: PlanStep): Promise<void> {
    const more = step === undefined ? '' : ', step = ?'
    const args = step === undefined ? [] : [this.#sealed.seal(`${id} ${position}`, step)]
    await this.#own.write({
      sql: `UPDATE run_steps SET state = 'running'${more} WHERE run_id = ? AND position = ?`,
      args: [...args, id, position],
    })
  }

  /** Stores the outcome of a step, and in the same transaction what it teaches, such as links. */
  async settle(id: string, position: number, outcome: StepOutcome, more: readonly Statement[]): Promise<void> {
    const bytes = this.#sealed.seal(`${id} ${position}`, outcome)
    await this.#own.write(
      {
        sql: 'UPDATE run_steps SET state = ?, outcome = ? WHERE run_id = ? AND position = ?',
        args: [outcome.state, bytes, id, position],
      },
      ...more,
    )
  }

  /** The newest first, without damaged ones. */
  list(limit: number): Promise<StoredRun[]> {
    const sql = 'SELECT * FROM runs ORDER BY number DESC LIMIT ? OFFSET ?'
    const page = (wanted: number, offset: number) => this.#database.rows(sql, [wanted, offset])
    return this.#stored.page(limit, page, (row) => this.#runOf(row))
  }

  /** @throws DamagedRow */
  async get(id: string): Promise<StoredRun | undefined> {
    const [row] = await this.#database.rows('SELECT * FROM runs WHERE id = ?', [id])
    return row && this.#stored.one(row, () => this.#runOf(row))
  }

  /** The connections of a run, which decide who may see it. @throws DamagedRow */
  async placeOf(id: string): Promise<{ connectionId: string; from: string | undefined } | undefined> {
    const run = await this.get(id)
    return run && { connectionId: run.connectionId, from: run.details.from }
  }

  /** All of them: a run is not carried out in part. @throws DamagedRow */
  async steps(id: string): Promise<StoredStep[]> {
    return (await this.#stepRows(id)).map((row) => this.#step(id, row))
  }

  /** For a page: the steps that can be read, and what is to be said of the others. */
  async shownSteps(id: string): Promise<ShownSteps> {
    const shown: ShownSteps = { steps: [], damaged: [] }
    for (const row of await this.#stepRows(id)) {
      try {
        shown.steps.push(this.#step(id, row))
      } catch (error) {
        if (!(error instanceof DamagedRow)) throw error
        shown.damaged.push({ position: Number(row['position']), message: error.message })
      }
    }
    return shown
  }

  #stepRows(id: string): Promise<Row[]> {
    return this.#database.rows('SELECT * FROM run_steps WHERE run_id = ? ORDER BY position', [id])
  }

  #step(id: string, row: Row): StoredStep {
    return this.#storedSteps.one(row, () => {
      const { position, state, outcome, step } = stepRow.parse(row)
      const opened = (bytes: ArrayBuffer) => this.#sealed.open(`${id} ${position}`, new Uint8Array(bytes))
      return {
        position,
        state,
        // Sealed by this class.
        step: opened(step) as PlanStep,
        outcome: outcome === null ? undefined : (opened(outcome) as StepOutcome),
      }
    })
  }

  /** The number of steps in each state. */
  async counts(id: string): Promise<Record<StepState, number>> {
    const counts = { waiting: 0, running: 0, done: 0, failed: 0, skipped: 0 }
    const rows = await this.#database.rows(
      'SELECT state, count(*) AS n FROM run_steps WHERE run_id = ? GROUP BY state',
      [id],
    )
    for (const row of rows) {
      const state = stepRow.shape.state.safeParse(row['state']).data
      if (state !== undefined) counts[state] = Number(row['n'])
    }
    return counts
  }

  /** Runs of other consoles that write to the same records, as `sharesRecords` defines it. */
  async #refuseSecond({ rows }: Statements, id: string, { deployment, origin }: DeploymentLocation): Promise<void> {
    const underWay = await rows(
      `SELECT deployment FROM runs WHERE state IN ('running', 'stopping') AND id <> ? AND owner <> ?
        AND (deployment = ? OR origin = ?)`,
      [id, this.owner, deployment, origin],
    )
    const variant = variantOf(deployment)
    if (underWay.some((row) => row['deployment'] === deployment || variantOf(String(row['deployment'])) !== variant)) {
      throw failure('blocked', 'Another run writes to this deployment. Wait until it is done, or stop it.')
    }
  }

  #runOf(row: Row): StoredRun {
    const { connection_id, started_at, finished_at, details, ...rest } = runRow.parse(row)
    return {
      ...rest,
      connectionId: connection_id,
      startedAt: started_at,
      finishedAt: finished_at ?? undefined,
      // Sealed by this class.
      details: this.#sealed.open(rest.id, new Uint8Array(details)) as RunDetails,
    }
  }
}

/** The first word of `Place.deployment`. */
function variantOf(deployment: string): string {
  return deployment.split(' ', 1)[0] ?? ''
}
