/** The data that the stack stores, and its retention. Only the stack of this product has these routes. */
import { z } from 'zod'
import { openEnum, resource } from '../wire/kernel.ts'

/** The kinds of telemetry that have a retention of their own. */
export const storedSignals = ['logs', 'traces', 'metrics'] as const
export type StoredSignal = (typeof storedSignals)[number]

/** The most days that telemetry can be kept. */
export const maxRetentionDays = 3650

/** Rows whose time is on a day of UTC. */
const storedDay = z.looseObject({
  /** Such as `2026-11-29`. */
  day: z.string(),
  rows: z.number(),
  bytes: z.number(),
})
export type StoredDay = z.infer<typeof storedDay>

const signalStorage = z.looseObject({
  signal: openEnum(storedSignals),
  /** Days that it is kept now. */
  retentionDays: z.number(),
  /** They are those of RETENTION_DAYS. */
  isDefault: z.boolean(),
  /** A shorter retention that is not in force yet: nothing is deleted until then. */
  pending: z.looseObject({ retentionDays: z.number(), from: z.string() }).optional(),
  /** Absent if the engine does not say. */
  days: z.array(storedDay).optional(),
})
export type SignalStorage = z.infer<typeof signalStorage>

const tableStorage = z.looseObject({
  name: z.string(),
  signal: openEnum(storedSignals),
  rows: z.number(),
  /** On the disk, with its indexes. */
  bytes: z.number(),
  uncompressedBytes: z.number(),
  parts: z.number(),
  /** Data skipping indexes, text indexes among them. */
  indexes: z.array(z.looseObject({ name: z.string(), type: z.string(), bytes: z.number() })),
  oldestDay: z.string().optional(),
  newestDay: z.string().optional(),
})
export type TableStorage = z.infer<typeof tableStorage>

/** The files of the data folder beside the tables of telemetry. */
export const folderParts = ['records', 'console', 'backups', 'engine', 'sample', 'reserve', 'files', 'other'] as const

const storageReport = z.looseObject({
  engine: openEnum(['embedded', 'server', 'none']),
  /** Days of RETENTION_DAYS. */
  defaultRetentionDays: z.number(),
  signals: z.array(signalStorage),
  /** Absent if the engine does not say. */
  tables: z.array(tableStorage).optional(),
  /** Why it does not say. */
  unreadable: z.string().optional(),
  /** The disk with the tables, if it is known. */
  disk: z.looseObject({ freeBytes: z.number(), totalBytes: z.number() }).optional(),
  folder: z.array(z.looseObject({ part: openEnum(folderParts), bytes: z.number() })),
})
export type StorageReport = z.infer<typeof storageReport>

const retentionInput = z.strictObject({
  signal: z.enum(storedSignals),
  /** Null: as RETENTION_DAYS says. */
  retentionDays: z.int().min(1).max(maxRetentionDays).nullable(),
})

export const storage = resource('storage', {
  get: { method: 'GET', scope: 'stack', path: '/storage', variants: ['openSource'], result: storageReport },
  /** A longer retention is in force at once, a shorter one after an hour, in which it can be changed back. */
  setRetention: {
    method: 'PUT',
    scope: 'stack',
    path: '/storage/retention',
    variants: ['openSource'],
    body: retentionInput,
    result: storageReport,
  },
})
