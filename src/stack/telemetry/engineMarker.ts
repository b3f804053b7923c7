/**
 * `DATA_DIR/engine.marker`: which tables the embedded engine had, and how many rows in each partition. The engine itself begins
 * with an empty table where one is missing, and goes on without parts that are damaged or gone. What is missing is reported
 * at each start until it is accepted; it stops nothing, because the records do not depend on it.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { NotStored, StateFile, UnusableState } from '#node/files/atomicFile.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { formatValue } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import type { Engine } from './engine/engine.ts'
import { tables } from './tables.ts'

const tableState = z.object({
  uuid: z.string(),
  /** Rows by the day of a partition, as `20261126`. */
  rows: z.record(z.string(), z.number()),
})
const marker = z.object({
  tables: z.record(z.string(), tableState),
  /** The missing data, a sentence each, until it is accepted. */
  losses: z.array(z.string()),
  /** Damaged parts whose loss was accepted. */
  acceptedParts: z.array(z.string()),
})
type Marker = z.infer<typeof marker>

interface EngineState extends Pick<Marker, 'tables'> {
  /** Parts that the engine has set aside because they are damaged: `otel_logs/20261126_1_1_0`. */
  damagedParts: string[]
}

export interface EngineMarkerOptions {
  engine: Pick<Engine, 'query'>
  dataDir: string
  /** Days that a table keeps its rows. */
  daysOf: (table: string) => number
  acceptDataLoss: boolean
}

export interface EngineMarker {
  /** Sentences that say which telemetry is missing. */
  losses: readonly string[]
  /** Stores the last state. */
  close(): Promise<void>
}

/** Milliseconds between two looks at the tables. */
const interval = 15_000

/** Compares the tables with the marker, and keeps it up to date. */
export async function openEngineMarker(options: EngineMarkerOptions): Promise<EngineMarker> {
  const { engine, dataDir, daysOf, acceptDataLoss } = options
  const file = new StateFile(join(dataDir, 'engine.marker'), marker)
  const known = readMarker(file)
  const state = await readState(engine)
  const kept = known === 'damaged' ? undefined : known
  const found = lossesOf(state, kept, (table) => firstDayKept(daysOf(table)))
  if (known === 'damaged') found.push('engine.marker was damaged: it is unknown whether all telemetry is there.')
  const losses = acceptDataLoss ? [] : [...new Set([...(kept?.losses ?? []), ...found])]
  const acceptedParts = acceptDataLoss ? state.damagedParts : (kept?.acceptedParts ?? [])
  let stored = ''
  const store = ({ tables: current }: EngineState) => {
    const next: Marker = { tables: current, losses, acceptedParts }
    const text = JSON.stringify(next)
    if (text === stored) return
    try {
      file.write(next)
      stored = text
    } catch (error) {
      // A full disk: the marker stays behind.
      if (!(error instanceof NotStored)) throw error
    }
  }
  store(state)
  let storing = Promise.resolve()
  // An engine that fails is noticed elsewhere.
  const update = () => (storing = readState(engine).then(store, () => undefined))
  const timer = setInterval(() => void update(), interval)
  timer.unref()
  return {
    losses,
    async close() {
      clearInterval(timer)
      await storing
      await update()
    },
  }
}

function readMarker(file: StateFile<typeof marker>): Marker | 'damaged' | undefined {
  try {
    return file.read()
  } catch (error) {
    if (error instanceof UnusableState) return 'damaged'
    throw error
  }
}

async function readState(engine: Pick<Engine, 'query'>): Promise<EngineState> {
  const params = { names: Object.values(tables) }
  const [found, parts, damaged] = await Promise.all([
    engine.query<{ name: string; uuid: string }>(
      'SELECT name, toString(uuid) AS uuid FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}',
      { params },
    ),
    engine.query<{ table: string; day: string; rows: string }>(
      `SELECT table, partition_id AS day, sum(rows) AS rows FROM system.parts
        WHERE database = currentDatabase() AND table IN {names:Array(String)} AND active GROUP BY table, day ORDER BY table, day`,
      { params },
    ),
    engine.query<{ part: string }>(
      `SELECT concat(table, '/', name) AS part FROM system.detached_parts
        WHERE database = currentDatabase() AND table IN {names:Array(String)} AND startsWith(reason, 'broken') ORDER BY part`,
      { params },
    ),
  ])
  const state = Object.fromEntries(
    found.map(({ name, uuid }): [string, Marker['tables'][string]] => [name, { uuid, rows: {} }]),
  )
  for (const { table, day, rows } of parts) {
    const of = state[table]
    if (of) of.rows[day] = Number(rows)
  }
  return { tables: state, damagedParts: damaged.map(({ part }) => part) }
}

/** The oldest day that retention cannot have removed yet, as `20261126`. */
function firstDayKept(retentionDays: number): string {
  const moment = new Date(currentTime() - (retentionDays - 1) * 24 * 3_600_000)
  return moment.toISOString().slice(0, 10).replaceAll('-', '')
}

/** @param firstDayOf a table: earlier days may have been removed by retention */
function lossesOf(state: EngineState, known: Marker | undefined, firstDayOf: (table: string) => string): string[] {
  const marked = Object.entries(known?.tables ?? {})
  const losses = marked.flatMap(([name, before]) => {
    const days = Object.entries(before.rows).filter(([day]) => day >= firstDayOf(name))
    const total = days.reduce((sum, [, rows]) => sum + rows, 0)
    const now = state.tables[name]
    if (now?.uuid !== before.uuid) {
      return total > 0 ? [`${name} was missing and has begun empty. It had ${counted(total, 'row')}.`] : []
    }
    const missing = days.reduce((sum, [day, rows]) => sum + Math.max(0, rows - (now.rows[day] ?? 0)), 0)
    return missing > 0 ? [`${name} lacks ${formatValue(missing)} of ${counted(total, 'row')}.`] : []
  })
  const isNew = (part: string) => !known?.acceptedParts.includes(part)
  const damaged = state.damagedParts.filter(isNew).map((part) => `The part ${part} is damaged and was set aside.`)
  return [...losses, ...damaged]
}
