/**
 * How commands on this machine give orders to a running stack: `control.json` in its data folder, which only its user may read,
 * says where, and with which token. A response is one line of JSON for each step; the last one has the outcome.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '#node/files/atomicFile.ts'

const control = z.object({
  /** On the loopback interface. */
  port: z.number().int().min(1).max(65_535),
  /** A new one at each start. Its bearer may give orders. */
  token: z.string().min(1),
})
export type Control = z.infer<typeof control>

const controlFile = (dataDir: string) => join(dataDir, 'control.json')

export function writeControl(dataDir: string, content: Control): void {
  writeAtomically(controlFile(dataDir), JSON.stringify(content))
}

/** @returns undefined if no stack has written one, or if it is damaged */
export function readControl(dataDir: string): Control | undefined {
  const path = controlFile(dataDir)
  if (!existsSync(path)) return undefined
  try {
    return control.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined
  }
}

export function removeControl(dataDir: string): void {
  rmSync(controlFile(dataDir), { force: true })
}

export const engineBackupPath = '/engine-backup'

export const indexesPath = '/telemetry-indexes'

/** The action before the state is reported. */
export const indexOrders = ['show', 'stop', 'continue'] as const
export type IndexOrder = (typeof indexOrders)[number]
export const indexOrder = z.object({ order: z.enum(indexOrders) })

/** See `telemetry/indexes`. */
export const indexReport = z.object({
  state: z.enum(['building', 'waiting', 'stopped', 'complete']),
  partition: z
    .object({ table: z.string(), id: z.string(), indexes: z.array(z.string()), partsLeft: z.number() })
    .optional(),
  problem: z.string().optional(),
  indexes: z.array(
    z.object({
      table: z.string(),
      name: z.string(),
      type: z.string(),
      bytes: z.number(),
      granules: z.number(),
      indexedGranules: z.number(),
    }),
  ),
})
export type IndexReport = z.infer<typeof indexReport>

export const engineBackupStep = z.union([
  /** Bytes that are written, and what is expected to be written. */
  z.object({ progress: z.object({ bytes: z.number(), total: z.number() }) }),
  z.object({ done: z.object({ folder: z.string(), databases: z.array(z.string()), rows: z.number() }) }),
  z.object({ failed: z.string() }),
])
export type EngineBackupStep = z.infer<typeof engineBackupStep>
