/** The data that the stack stores, and its retention. */
import type { Handlers } from '#contract/wire/kernel.ts'
import { storedSignals, type storage, type SignalStorage, type StorageReport } from '#contract/stack/storage.ts'
import { diskOf, folderSizes } from '../storage/dataFolder.ts'
import type { Retention } from '../storage/retentionSettings.ts'
import { serverDisk, tableSizes, type TableSizes } from '../storage/tableSizes.ts'
import { EngineError } from '../telemetry/engine/engineError.ts'
import type { StackContext } from './context.ts'
import { refuse } from '../refusal.ts'

export const storageHandlers: Handlers<typeof storage, StackContext> = {
  get: async (_, context) => report(context, retentionOf(context)),
  setRetention: async ({ body }, context) => {
    const retention = retentionOf(context)
    await retention.set(body.signal, body.retentionDays)
    return report(context, retention)
  },
}

function retentionOf({ retention }: StackContext): Retention {
  if (!retention) throw refuse('this stack keeps no telemetry')
  return retention
}

async function report({ engine, dataDir }: StackContext, retention: Retention): Promise<StorageReport> {
  const [sizes, folder, disk] = await Promise.all([
    engine && readOrReason(() => tableSizes(engine)),
    dataDir === undefined ? new Map<never, number>() : folderSizes(dataDir),
    engine?.kind === 'remote'
      ? readOrReason(() => serverDisk(engine)).then((found) => ('reason' in found ? undefined : found.read))
      : dataDir === undefined
        ? undefined
        : diskOf(dataDir),
  ])
  const known = sizes && 'read' in sizes ? sizes.read : undefined
  const telemetry = known?.tables.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0
  return {
    engine: engine ? (engine.kind === 'embedded' ? 'embedded' : 'server') : 'none',
    defaultRetentionDays: retention.defaultDays,
    signals: signalsOf(retention, known),
    ...(known && { tables: known.tables }),
    ...(sizes && 'reason' in sizes && { unreadable: sizes.reason }),
    ...(disk && { disk }),
    folder: Array.from(folder, ([part, bytes]) => ({
      part,
      // The tables have lines of their own.
      bytes: part === 'engine' ? Math.max(0, bytes - telemetry) : bytes,
    })),
  }
}

function signalsOf(retention: Retention, sizes: TableSizes | undefined): SignalStorage[] {
  return storedSignals.map((signal) => {
    const { days, isDefault, pending } = retention.of(signal)
    return {
      signal,
      retentionDays: days,
      isDefault,
      ...(pending && { pending: { retentionDays: pending.days, from: new Date(pending.from).toISOString() } }),
      ...(sizes && { days: sizes.days[signal] }),
    }
  })
}

/** A user of a server may not be allowed to read its tables about itself. */
async function readOrReason<T>(read: () => Promise<T>): Promise<{ read: T } | { reason: string }> {
  try {
    return { read: await read() }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { reason: error.message }
  }
}
