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

export interface IndexBuilder {
  state(): Promise<IndexBuildState & { indexes: IndexState[] }>
  /** For all stacks on the records, also after a restart. What is being built is given up. */
  stop(): Promise<void>
  continue(): Promise<void>
  close(): Promise<void>
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

export function startIndexBuilder(parts: BuilderDependencies): IndexBuilder {
  const { engine, store, tasks, wanted, logger } = parts
  const pauses = { ...usualPauses, ...parts.pauses }
  const closing = new AbortController()
  let current: IndexBuildState = { state: 'waiting' }
  /** Ends a wait, so that an order is carried out at once. */
  let waking = new AbortController()
  /** The start of a build that is under way. */
  let starting: Promise<void> = Promise.resolve()

  const isStopped = async () => (await readSetting(store, stoppedSetting, z.boolean())) ?? false
  const isClosing = () => closing.signal.aborted

  async function wait(milliseconds: number): Promise<void> {
    waking = new AbortController()
    const signal = AbortSignal.any([closing.signal, waking.signal])
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
  }

  async function run(): Promise<void> {
    while (!isClosing()) {
      try {
        if (await pass()) return
        await wait(pauses.retry)
      } catch (error) {
        if (isClosing()) return
        const problem = error instanceof Error ? error.message : String(error)
        if (problem !== current.problem)
          logger.warn({ err: error }, 'Indexes of the telemetry cannot be built. It is tried again')
        current = { state: 'waiting', problem }
        await wait(pauses.retry)
      }
    }
  }

  /** @returns whether everything has its indexes */
  async function pass(): Promise<boolean> {
    const lease = await tasks.take(task)
    if (!lease) {
      current = { state: 'waiting', problem: 'another stack builds them' }
      return false
    }
    try {
      for (;;) {
        if (isClosing() || !lease.isHeld()) return false
        if (await isStopped()) {
          await giveUp()
          current = { state: 'stopped' }
          return false
        }
        // A build that a killed process began: the engine continues it by itself.
        const [begun] = await buildsOf(engine)
        const next = begun ? undefined : await nextPartition()
        if (!begun && !next) {
          current = { state: 'complete' }
          return true
        }
        if (next) await begin(next, lease)
        await watch(lease)
      }
    } finally {
      await lease.release()
    }
  }

  async function nextPartition(): Promise<(Partition & { missing: IndexDefinition[] }) | undefined> {
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

  async function begin(next: Partition & { missing: IndexDefinition[] }, lease: TaskLease): Promise<void> {
    const { table, id, bytes, missing } = next
    const free = await freeBytes(engine)
    if (free < bytes + reserve) {
      throw new BuildProblem(`the disk has too little free space for the indexes of ${table}, partition ${id}`)
    }
    const indexes = missing.map(({ name }) => name)
    current = { state: 'building', partition: { table, id, indexes, partsLeft: 0 } }
    logger.info({ table, partition: id, indexes }, 'Building indexes')
    lease.refuseIfLost()
    starting = startUnlessStopped(next, indexes)
    await starting
  }

  async function startUnlessStopped(next: Partition, indexes: readonly string[]): Promise<void> {
    if (await isStopped()) return
    try {
      await startBuild(engine, next, indexes)
    } catch (error) {
      // The table was dropped meanwhile.
      if (!(error instanceof EngineError && error.code === unknownTable)) throw error
    }
  }

  /** Until the engine has built what it began. */
  async function watch(lease: TaskLease): Promise<void> {
    for (;;) {
      const builds = await buildsOf(engine)
      if (builds.length === 0 || isClosing() || !lease.isHeld()) return
      if (await isStopped()) return
      const failed = builds.find(({ failure }) => failure !== '')
      if (failed) {
        await giveUp()
        throw new BuildProblem(`${failed.table}: ${failed.failure}`)
      }
      current = { state: 'building', partition: progressOf(builds) }
      await wait(pauses.poll)
    }
  }

  async function giveUp(): Promise<void> {
    for (const build of await buildsOf(engine)) await stopBuild(engine, build)
  }

  const running = run()
  let again: Promise<void> | undefined
  const restart = async () => {
    waking.abort()
    if (current.state !== 'complete') return
    await again
    again = run()
  }
  return {
    async state() {
      const [stopped, indexes] = await Promise.all([isStopped(), indexStates(engine)])
      return { ...(stopped ? { state: 'stopped' as const } : current), indexes }
    },
    async stop() {
      await writeSetting(store, stoppedSetting, true)
      // A build that is just being started is in the engine's list only afterwards. Its errors are those of the builder.
      await starting.catch(() => undefined)
      await giveUp()
      waking.abort()
    },
    async continue() {
      await writeSetting(store, stoppedSetting, false)
      await restart()
    },
    async close() {
      closing.abort()
      await running
      await again
    },
  }
}

function progressOf(builds: readonly Build[]): IndexBuildState['partition'] {
  const [first] = builds
  if (!first) return undefined
  const partsLeft = builds.reduce((sum, build) => sum + build.partsLeft, 0)
  return { table: first.table, id: first.partition, indexes: builds.map(({ index }) => index), partsLeft }
}

function indexNames(engine: Pick<Engine, 'query'>): Promise<{ table: string; name: string }[]> {
  return engine.query('SELECT table, name FROM system.data_skipping_indices WHERE database = currentDatabase()')
}
