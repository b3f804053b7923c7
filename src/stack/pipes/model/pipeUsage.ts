/**
 * The usage of pipes: processor time and memory of their loads, from the engine's list of running statements, sampled
 * several times a second while a load runs. Usage is never estimated: if less than four fifths of a load's time were
 * sampled, as for very short loads, its pipe reports nothing for a while.
 */
import { currentTime } from '#node/clock/wallClock.ts'
import { systemTable } from '../../telemetry/engine/dialect.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'

export interface UsageReading {
  /** Millicores, mean over the window. Null if a load was not sampled. */
  cpuMillicores: number | null
  /** Bytes, maximum within the window. Null if a load was not sampled. */
  memoryBytes: number | null
  /**
   * Milliseconds from seen to loaded: the mean of the loads of the last minute, or of what waits now if that is longer. Null if
   * nothing was loaded and nothing waits.
   */
  latencyMs: number | null
  /** Mebibytes of the source's log that are not fetched yet. Null without such a log. */
  sourceLagMib: number | null
}

/** The prefix of the marks of all loads. */
export const loadMark = 'pipe load'

/** The window of usage: the usual scrape interval. */
const windowMs = 15_000
/** The window of the latency: longer, so that a pipe that loads now and then has more than one sample of it. */
const latencyWindowMs = 60_000
/** Milliseconds between two samples. The interval grows with the age of a load. */
const shortestWaitMs = 50
const longestWaitMs = 250
const ageOfWait = 8
/** The share of a load's time that must be before the last sample. */
const followedShare = 0.8
/** After an engine did not tell its memory limit. */
const askAgainAfterMs = 60_000

interface Sample {
  at: number
  cpuMicros: number
  memoryBytes: number
}

/** Work of a replica of a streaming pipe. */
interface Work {
  at: number
  ms: number
  bytes: number
}

/** How long the data of one load had waited. */
interface Waited {
  at: number
  ms: number
}

interface PipeUsage {
  samples: Sample[]
  work: Work[]
  /** The replicas of a streaming pipe; 0 for other pipes. */
  replicas: number
  firstBegin: number
  /** When the last load ended that was not sampled. */
  missedAt: number
  loads: Waited[]
  waitingSince: number | null
  lagMib: number | null
}

interface Load {
  pipeId: string
  mark: string
  cpuMicros: number
  beganAt: number
  seenAt: number
}

interface ProcessRow {
  mark: string
  cpu: string
  memory: string
}

export class UsageMeter {
  readonly #engine: Pick<Engine, 'dialect' | 'query'>
  readonly #now: () => number
  readonly #pipes = new Map<string, PipeUsage>()
  /** The loads that run. */
  readonly #loads = new Set<Load>()
  #timer: NodeJS.Timeout | undefined
  #memoryLimit: Promise<number | null> | undefined
  /** When the engine may be asked for the memory limit again. */
  #askableAt = 0

  constructor(engine: Pick<Engine, 'dialect' | 'query'>, now: () => number = currentTime) {
    this.#engine = engine
    this.#now = now
  }

  /** A load begins, whose `log_comment` is `mark`. */
  begin(pipeId: string, mark: string): { end(): void } {
    const load: Load = { pipeId, mark, cpuMicros: 0, beganAt: this.#now(), seenAt: this.#now() }
    this.#usageOf(pipeId)
    this.#loads.add(load)
    this.#scheduleSample()
    return {
      end: () => {
        this.#loads.delete(load)
        const followed = load.seenAt - load.beganAt
        if (followed < followedShare * (this.#now() - load.beganAt)) this.#usageOf(pipeId).missedAt = this.#now()
      },
    }
  }

  /** Reports how long the loaded data had waited, in milliseconds. */
  loaded(pipeId: string, waitedMs: number): void {
    const { loads } = this.#usageOf(pipeId)
    const at = this.#now()
    loads.push({ at, ms: waitedMs })
    dropBefore(loads, at - latencyWindowMs)
  }

  /** Reports since when the oldest data waits, in epoch milliseconds; null if nothing waits. */
  waiting(pipeId: string, since: number | null): void {
    this.#usageOf(pipeId).waitingSince = since
  }

  /** Reports work that a replica of a streaming pipe just did, and the bytes of records that it holds. */
  worked(pipeId: string, { ms, bytes, replicas }: { ms: number; bytes: number; replicas: number }): void {
    const usage = this.#usageOf(pipeId)
    const at = this.#now()
    usage.replicas = replicas
    usage.work.push({ at, ms, bytes })
    dropBefore(usage.work, at - windowMs)
  }

  /** Reports the lag of the source; null if it is no longer measured. */
  lag(pipeId: string, mebibytes: number | null): void {
    this.#usageOf(pipeId).lagMib = mebibytes
  }

  read(pipeId: string): UsageReading {
    const at = this.#now()
    const usage = this.#usageOf(pipeId)
    const samples = usage.samples.filter((sample) => sample.at > at - windowMs)
    const span = Math.min(windowMs, Math.max(shortestWaitMs, at - usage.firstBegin))
    return {
      ...(usage.replicas > 0 ? usageOfReplica(usage, samples, at, span) : usageOfLoads(usage, samples, at, span)),
      latencyMs: latencyOf(usage, at),
      sourceLagMib: usage.lagMib,
    }
  }

  /** The memory limit of one statement in bytes. Null if unknown, and for a minute after the engine did not tell it. */
  memoryLimit(): Promise<number | null> {
    if (this.#now() < this.#askableAt) return Promise.resolve(null)
    this.#memoryLimit ??= this.#engine
      .query<{ value: string }>("SELECT value FROM system.settings WHERE name = 'max_memory_usage'")
      .then(
        ([row]) => Number(row?.value ?? 0) || null,
        () => {
          this.#memoryLimit = undefined
          this.#askableAt = this.#now() + askAgainAfterMs
          return null
        },
      )
    return this.#memoryLimit
  }

  forget(pipeId: string): void {
    this.#pipes.delete(pipeId)
  }

  #usageOf(pipeId: string): PipeUsage {
    const known = this.#pipes.get(pipeId)
    if (known) return known
    const created: PipeUsage = {
      samples: [],
      work: [],
      replicas: 0,
      firstBegin: this.#now(),
      missedAt: 0,
      loads: [],
      waitingSince: null,
      lagMib: null,
    }
    this.#pipes.set(pipeId, created)
    return created
  }

  #scheduleSample(): void {
    if (this.#timer) return
    const youngest = Math.min(...[...this.#loads].map((load) => this.#now() - load.beganAt))
    const delay = Math.min(longestWaitMs, Math.max(shortestWaitMs, youngest / ageOfWait))
    this.#timer = setTimeout(() => void this.#measure(), delay).unref()
  }

  async #measure(): Promise<void> {
    const rows = await this.#engine
      .query<ProcessRow>(
        `SELECT Settings['log_comment'] AS mark, sum(ProfileEvents['OSCPUVirtualTimeMicroseconds']) AS cpu, sum(memory_usage) AS memory
         FROM ${systemTable(this.#engine.dialect, 'processes')} WHERE startsWith(mark, {prefix:String}) GROUP BY mark`,
        { params: { prefix: loadMark } },
      )
      .catch(() => [])
    const at = this.#now()
    const memory = new Map<string, number>()
    for (const load of this.#loads) {
      const row = rows.find(({ mark }) => mark === load.mark)
      if (!row) continue
      const { samples } = this.#usageOf(load.pipeId)
      const bytes = Math.max(0, Number(row.memory)) + (memory.get(load.pipeId) ?? 0)
      memory.set(load.pipeId, bytes)
      samples.push({ at, cpuMicros: Math.max(0, Number(row.cpu) - load.cpuMicros), memoryBytes: bytes })
      load.cpuMicros = Number(row.cpu)
      load.seenAt = at
    }
    for (const { samples } of this.#pipes.values()) dropBefore(samples, at - windowMs)
    this.#timer = undefined
    if (this.#loads.size > 0) this.#scheduleSample()
  }
}

/** Drops the entries up to a time from the beginning of a list in the order of time. */
function dropBefore(entries: { at: number }[], time: number): void {
  const kept = entries.findIndex(({ at }) => at > time)
  entries.splice(0, kept < 0 ? entries.length : kept)
}

/** The usage of loads that are statements of the engine. */
function usageOfLoads(
  { missedAt }: PipeUsage,
  samples: readonly Sample[],
  at: number,
  span: number,
): Pick<UsageReading, 'cpuMillicores' | 'memoryBytes'> {
  if (missedAt > at - windowMs) return { cpuMillicores: null, memoryBytes: null }
  return {
    cpuMillicores: (samples.reduce((sum, sample) => sum + sample.cpuMicros, 0) / (span * 1000)) * 1000,
    memoryBytes: Math.max(0, ...samples.map((sample) => sample.memoryBytes)),
  }
}

function latencyOf({ loads, waitingSince }: PipeUsage, at: number): number | null {
  const recent = loads.filter((load) => load.at > at - latencyWindowMs)
  const mean = recent.length === 0 ? null : recent.reduce((sum, { ms }) => sum + ms, 0) / recent.length
  return waitingSince === null ? mean : Math.max(at - waitingSince, mean ?? 0)
}

/** The usage of one replica of a streaming pipe: its work counts as one busy core, and it holds records and a statement. */
function usageOfReplica(
  { work, replicas }: PipeUsage,
  samples: readonly Sample[],
  at: number,
  span: number,
): Pick<UsageReading, 'cpuMillicores' | 'memoryBytes'> {
  const recent = work.filter((piece) => piece.at > at - windowMs)
  return {
    cpuMillicores: (recent.reduce((sum, { ms }) => sum + ms, 0) / span / replicas) * 1000,
    memoryBytes:
      Math.max(0, ...recent.map(({ bytes }) => bytes)) +
      Math.max(0, ...samples.map((sample) => sample.memoryBytes)) / replicas,
  }
}
