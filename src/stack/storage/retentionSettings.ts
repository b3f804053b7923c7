/** How long telemetry is kept: RETENTION_DAYS, unless somebody has set another number of days for logs, traces or metrics. */
import { z } from 'zod'
import { storedSignals, type StoredSignal } from '#contract/stack/storage.ts'
import { wallClock, type WallClock } from '#node/clock/wallClock.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import type { Store } from '../store/store.ts'
import { ownRollups } from '../telemetry/rollups/ownRollups.ts'
import { tables } from '../telemetry/tables.ts'

/** Milliseconds in which a shorter retention can be taken back: nothing is deleted until then. */
export const undoWindow = 3_600_000

/** Null: as RETENTION_DAYS says. */
const days = z.number().int().positive().nullable()
const settings = z.partialRecord(
  z.enum(storedSignals),
  z.object({ days, previous: z.object({ days, until: z.number() }).optional() }),
)
type Settings = z.infer<typeof settings>

const name = 'retention'

interface SignalRetention {
  days: number
  isDefault: boolean
  /** A shorter one that is in force from a time on, in milliseconds since 1970. */
  pending?: { days: number; from: number }
}

export interface Retention {
  /** As of now and of the last `refresh`. */
  of(signal: StoredSignal): SignalRetention
  /** Stores it. A shorter one is in force after `undoWindow`. */
  set(signal: StoredSignal, days: number | null): Promise<void>
  /** Reads what others have set. */
  refresh(): Promise<void>
  defaultDays: number
}

export async function openRetention(
  store: Pick<Store, 'rows' | 'write' | 'secrets' | 'run'>,
  defaultDays: number,
  clock: Pick<WallClock, 'deletionTime'> = wallClock,
): Promise<Retention> {
  const read = async (queries: Parameters<typeof readSetting>[0]): Promise<Settings> =>
    (await readSetting(queries, name, settings)) ?? {}
  let current = await read(store)

  const of = (signal: StoredSignal, all = current): SignalRetention => {
    const set = all[signal] ?? { days: null }
    const waits = set.previous && clock.deletionTime() < set.previous.until ? set.previous : undefined
    const inForce = waits ? waits.days : set.days
    return {
      days: inForce ?? defaultDays,
      isDefault: inForce === null,
      ...(waits && { pending: { days: set.days ?? defaultDays, from: waits.until } }),
    }
  }

  return {
    defaultDays,
    of: (signal) => of(signal),
    set: async (signal, wanted) => {
      current = await store.write(async (transaction) => {
        const all = await read(transaction)
        const now = of(signal, all)
        const isShorter = (wanted ?? defaultDays) < now.days
        const previous = { days: now.isDefault ? null : now.days, until: clock.deletionTime() + undoWindow }
        const next = { ...all, [signal]: { days: wanted, ...(isShorter && { previous }) } }
        await writeSetting(transaction, name, next)
        return next
      })
    },
    refresh: async () => {
      current = await read(store)
    },
  }
}

/** The signal whose rows a table of telemetry has, or its roll-up. */
export function signalOf(table: string): StoredSignal {
  const of = ownRollups.find((rollup) => rollup.table === table)?.of ?? table
  if (of === tables.logs) return 'logs'
  return of === tables.traces ? 'traces' : 'metrics'
}
