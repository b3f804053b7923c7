/**
 * What pipes take of the engine, as the engine's own list of running statements tells it: processor time and memory of
 * their loads, looked at several times a second while any is under way. What was not seen is not made up: when a load was not
 * followed through four fifths of its time, as one that is over in a moment, its pipe reports nothing for a while.
 */
import type { Engine } from '../../telemetry/engine.ts'

export interface UsageReading {
  /** Millicores, mean over the window. Null where a load was not followed. */
  cpuMillicores: number | null
  /** Bytes, the most that was seen at a time within the window. Null likewise. */
  memoryBytes: number | null
  /** Milliseconds from seen to loaded: of the last load, or of what waits now where that is longer. Null before the first. */
  latencyMs: number | null
  /** Mebibytes of the source's log that are not fetched yet. Null where there is no such log. */
  sourceLagMib: number | null
}

export interface UsageMeter {
  /** A load begins, whose `log_comment` is `mark`. */
  begin(pipeId: string, mark: string): { end(): void }
  /** How long what was just loaded had waited, in milliseconds. */
  loaded(pipeId: string, waitedMs: number): void
  /** Since when the oldest waits that is seen and not loaded, in epoch milliseconds; null when nothing does. */
  waiting(pipeId: string, since: number | null): void
  /** How far what was fetched is behind; null when that is no longer looked at. */
  lag(pipeId: string, mebibytes: number | null): void
  read(pipeId: string): UsageReading
  /** The most bytes that the engine gives to one statement. Null where it does not say. */
  memoryLimit(): Promise<number | null>
  forget(pipeId: string): void
}

/** The marks of all loads begin with this. */
export const loadMark = 'pipe load'

/** Over how long usage is told: the pace at which deployments are usually scraped. */
const windowMs = 15_000
/** Looks come this soon after each other, and the later the longer a load lasts: what it takes after the last is not seen. */
const shortestWaitMs = 50
const longestWaitMs = 250
const ageOfWait = 8
/** How much of a load's time must lie before the last look. */
const followedShare = 0.8

interface Sample {
  at: number
  cpuMicros: number
  memoryBytes: number
}

interface PipeUsage {
  samples: Sample[]
  firstBegin: number
  /** When a load ended that was not followed. */
  missedAt: number
  waitedMs: number | null
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

export function usageMeter(engine: Pick<Engine, 'query'>, now: () => number = Date.now): UsageMeter {
  const pipes = new Map<string, PipeUsage>()
  const loads = new Set<Load>()
  let timer: NodeJS.Timeout | undefined
  let limit: Promise<number | null> | undefined

  function usageOf(pipeId: string): PipeUsage {
    const known = pipes.get(pipeId)
    if (known) return known
    const fresh = { samples: [], firstBegin: now(), missedAt: 0, waitedMs: null, waitingSince: null, lagMib: null }
    pipes.set(pipeId, fresh)
    return fresh
  }

  function lookLater(): void {
    const youngest = Math.min(...[...loads].map((load) => now() - load.beganAt))
    const delay = Math.min(longestWaitMs, Math.max(shortestWaitMs, youngest / ageOfWait))
    timer ??= setTimeout(() => void measure(), delay).unref()
  }

  async function measure(): Promise<void> {
    const rows = await engine
      .query<ProcessRow>(
        `SELECT Settings['log_comment'] AS mark, ProfileEvents['OSCPUVirtualTimeMicroseconds'] AS cpu, memory_usage AS memory
         FROM system.processes WHERE startsWith(mark, {prefix:String})`,
        { params: { prefix: loadMark } },
      )
      .catch(() => [])
    const at = now()
    const memory = new Map<string, number>()
    for (const load of loads) {
      const row = rows.find(({ mark }) => mark === load.mark)
      if (!row) continue
      const { samples } = usageOf(load.pipeId)
      const bytes = Math.max(0, Number(row.memory)) + (memory.get(load.pipeId) ?? 0)
      memory.set(load.pipeId, bytes)
      samples.push({ at, cpuMicros: Math.max(0, Number(row.cpu) - load.cpuMicros), memoryBytes: bytes })
      load.cpuMicros = Number(row.cpu)
      load.seenAt = at
    }
    for (const { samples } of pipes.values()) {
      const kept = samples.findIndex((sample) => sample.at > at - windowMs)
      samples.splice(0, kept < 0 ? samples.length : kept)
    }
    timer = undefined
    if (loads.size > 0) lookLater()
  }

  return {
    begin(pipeId, mark) {
      const load: Load = { pipeId, mark, cpuMicros: 0, beganAt: now(), seenAt: now() }
      usageOf(pipeId)
      loads.add(load)
      lookLater()
      return {
        end() {
          loads.delete(load)
          const followed = load.seenAt - load.beganAt
          if (followed < followedShare * (now() - load.beganAt)) usageOf(pipeId).missedAt = now()
        },
      }
    },
    loaded(pipeId, waitedMs) {
      usageOf(pipeId).waitedMs = waitedMs
    },
    waiting(pipeId, since) {
      usageOf(pipeId).waitingSince = since
    },
    lag(pipeId, mebibytes) {
      usageOf(pipeId).lagMib = mebibytes
    },
    read(pipeId) {
      const at = now()
      const usage = usageOf(pipeId)
      const samples = usage.samples.filter((sample) => sample.at > at - windowMs)
      const span = Math.min(windowMs, Math.max(shortestWaitMs, at - usage.firstBegin))
      const isUnknown = usage.missedAt > at - windowMs
      const waited = usage.waitingSince === null ? null : at - usage.waitingSince
      return {
        cpuMillicores: isUnknown ? null : (samples.reduce((sum, one) => sum + one.cpuMicros, 0) / (span * 1000)) * 1000,
        memoryBytes: isUnknown ? null : Math.max(0, ...samples.map((one) => one.memoryBytes)),
        latencyMs: waited === null ? usage.waitedMs : Math.max(waited, usage.waitedMs ?? 0),
        sourceLagMib: usage.lagMib,
      }
    },
    memoryLimit() {
      limit ??= engine
        .query<{ value: string }>("SELECT value FROM system.settings WHERE name = 'max_memory_usage'")
        .then(
          ([row]) => Number(row?.value ?? 0) || null,
          () => null,
        )
      return limit
    },
    forget(pipeId) {
      pipes.delete(pipeId)
    },
  }
}
