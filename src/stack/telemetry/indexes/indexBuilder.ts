/**
 * Gives the rows of earlier times the indexes of their table: in the background, a partition at a time, the newest first.
 * Nothing is remembered of what is done: the engine says which rows have an index, so it goes on wherever it was ended.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { IndexChoice } from '../../config.ts'
import type { Tasks, TaskLease } from '../../cluster/tasks.ts'
import { readSetting, writeSetting } from '../../store/storeSettings.ts'
import type { Store } from '../../store/store.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/engineError.ts'
import { definitionsOf, type IndexDefinition } from './indexChoices.ts'
import { buildsOf, freeBytes, partitionsOf, startBuild, stopBuild, type Build, type Partition } from './indexBuilds.ts'
import { granulesOf, indexStates, type IndexState } from './indexState.ts'

interface IndexBuildState {
  /**
   * `building`: the rows of `partition` get their indexes. `waiting`: for another stack that does it, or after a problem.
   * `stopped`: by a person, until it is continued. `complete`: no row lacks an index.
   */
  state: 'building' | 'waiting' | 'stopped' | 'complete'
  partition?: { table: string; id: string; indexes: string[]; partsLeft: number }
  /** Why it waits. */
  problem?: string
}

interface BuilderDependencies {
  engine: Pick<Engine, 'query' | 'command'>
  store: Store
  tasks: Tasks
  wanted: readonly IndexChoice[]
  logger: Pick<Logger, 'info' | 'warn'>
  /** Milliseconds. Tests wait for less. */
  pauses?: Partial<Pauses>
}

interface Pauses {
  /** Between two looks at what is being built. */
  poll: number
  /** After a problem, and until another stack is asked for again. */
  retry: number
}

const usualPauses: Pauses = { poll: 1000, retry: 5 * 60_000 }
const task = 'telemetry indexes'
const stoppedSetting = 'telemetryIndexesStopped'
/** The space that the disk keeps free beside what a partition takes. */
const reserve = 512 * 1024 ** 2
const unknownTable = 60

/** A reason to try later, in words for people. */
class BuildProblem extends Error {
  override readonly name = 'BuildProblem'
}

/** Starts to build what is missing. */
export function startIndexBuilder(dependencies: BuilderDependencies): IndexBuilder {
  return new IndexBuilder(dependencies)
}

export class IndexBuilder {
  readonly #dependencies: BuilderDependencies
  readonly #pauses: Pauses
  readonly #closing = new AbortController()
  #current: IndexBuildState = { state: 'waiting' }
  /** Ends a wait, so that an order is carried out at once. */
  #waking = new AbortController()
  /** The start of a build that is under way. */
  #starting: Promise<void> = Promise.resolve()
  #running: Promise<void>

  constructor(dependencies: BuilderDependencies) {
    this.#dependencies = dependencies
    this.#pauses = { ...usualPauses, ...dependencies.pauses }
    this.#running = this.#run()
  }

  async state(): Promise<IndexBuildState & { indexes: IndexState[] }> {
    const [stopped, indexes] = await Promise.all([this.#isStopped(), indexStates(this.#dependencies.engine)])
    return { ...(stopped ? { state: 'stopped' as const } : this.#current), indexes }
  }

  /** For all stacks on the records, also after a restart. What is being built is given up. */
  async stop(): Promise<void> {
    await writeSetting(this.#dependencies.store, stoppedSetting, true)
    // A build that is just being started is in the engine's list only afterwards. Its errors are those of the builder.
    await this.#starting.catch(() => undefined)
    await this.#giveUp()
    this.#waking.abort()
  }

  async continue(): Promise<void> {
    await writeSetting(this.#dependencies.store, stoppedSetting, false)
    this.#waking.abort()
    if (this.#current.state !== 'complete') return
    this.#running = this.#running.then(() => this.#run())
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted
  }

  async #isStopped(): Promise<boolean> {
    return (await readSetting(this.#dependencies.store, stoppedSetting, z.boolean())) ?? false
  }

  async #wait(milliseconds: number): Promise<void> {
    this.#waking = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, this.#waking.signal])
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
  }

  async #run(): Promise<void> {
    while (!this.#isClosing) {
      try {
        if (await this.#pass()) return
        await this.#wait(this.#pauses.retry)
      } catch (error) {
        if (this.#isClosing) return
        const problem = error instanceof Error ? error.message : String(error)
        if (problem !== this.#current.problem) {
          const { logger } = this.#dependencies
          logger.warn({ err: error }, 'Indexes of the telemetry cannot be built. It is tried again')
        }
        this.#current = { state: 'waiting', problem }
        await this.#wait(this.#pauses.retry)
      }
    }
  }

  /** @returns whether everything has its indexes */
  async #pass(): Promise<boolean> {
    const { engine, tasks } = this.#dependencies
    const lease = await tasks.take(task)
    if (!lease) {
      this.#current = { state: 'waiting', problem: 'another stack builds them' }
      return false
    }
    try {
      for (;;) {
        if (this.#isClosing || !lease.isHeld()) return false
        if (await this.#isStopped()) {
          await this.#giveUp()
          this.#current = { state: 'stopped' }
          return false
        }
        // A build that a killed process began: the engine continues it by itself.
        const [begun] = await buildsOf(engine)
        const next = begun ? undefined : await this.#nextPartition()
        if (!begun && !next) {
          this.#current = { state: 'complete' }
          return true
        }
        if (next) await this.#begin(next, lease)
        await this.#watch(lease)
      }
    } finally {
      await lease.release()
    }
  }

  async #nextPartition(): Promise<UnindexedPartition | undefined> {
    const { engine, wanted } = this.#dependencies
    const existing = new Set((await indexNames(engine)).map(({ table, name }) => `${table} ${name}`))
    const definitions = definitionsOf(wanted).filter(({ table, name }) => existing.has(`${table} ${name}`))
    for (const partition of await partitionsOf(engine, [...new Set(definitions.map(({ table }) => table))])) {
      const missing: IndexDefinition[] = []
      for (const definition of definitions.filter(({ table }) => table === partition.table)) {
        if ((await granulesOf(engine, definition, partition.id)).without > 0) missing.push(definition)
      }
      if (missing.length > 0) return { ...partition, missing }
    }
    return undefined
  }

  async #begin(next: UnindexedPartition, lease: TaskLease): Promise<void> {
    const { engine, logger } = this.#dependencies
    const { table, id, bytes, missing } = next
    const free = await freeBytes(engine)
    if (free < bytes + reserve) {
      throw new BuildProblem(`the disk has too little free space for the indexes of ${table}, partition ${id}`)
    }
    const indexes = missing.map(({ name }) => name)
    this.#current = { state: 'building', partition: { table, id, indexes, partsLeft: 0 } }
    logger.info({ table, partition: id, indexes }, 'Building indexes')
    lease.refuseIfLost()
    this.#starting = this.#startUnlessStopped(next, indexes)
    await this.#starting
  }

  async #startUnlessStopped(next: Partition, indexes: readonly string[]): Promise<void> {
    if (await this.#isStopped()) return
    try {
      await startBuild(this.#dependencies.engine, next, indexes)
    } catch (error) {
      // The table was dropped meanwhile.
      if (!(error instanceof EngineError && error.code === unknownTable)) throw error
    }
  }

  /** Until the engine has built what it began. */
  async #watch(lease: TaskLease): Promise<void> {
    for (;;) {
      const builds = await buildsOf(this.#dependencies.engine)
      if (builds.length === 0 || this.#isClosing || !lease.isHeld()) return
      if (await this.#isStopped()) return
      const failed = builds.find(({ failure }) => failure !== '')
      if (failed) {
        await this.#giveUp()
        throw new BuildProblem(`${failed.table}: ${failed.failure}`)
      }
      this.#current = { state: 'building', partition: progressOf(builds) }
      await this.#wait(this.#pauses.poll)
    }
  }

  async #giveUp(): Promise<void> {
    const { engine } = this.#dependencies
    for (const build of await buildsOf(engine)) await stopBuild(engine, build)
  }
}

/** A partition with rows that lack indexes. */
type UnindexedPartition = Partition & { missing: IndexDefinition[] }

function progressOf(builds: readonly Build[]): IndexBuildState['partition'] {
  const [first] = builds
  if (!first) return undefined
  const partsLeft = builds.reduce((sum, build) => sum + build.partsLeft, 0)
  return { table: first.table, id: first.partition, indexes: builds.map(({ index }) => index), partsLeft }
}

function indexNames(engine: Pick<Engine, 'query'>): Promise<{ table: string; name: string }[]> {
  return engine.query('SELECT table, name FROM system.data_skipping_indices WHERE database = currentDatabase()')
}
