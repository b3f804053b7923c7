/**
 * A sample of a source before its pipe is created: docs/DEPLOYMENTS.md#pipes, "schema discovery". Deployments have it for Kafka and
 * Kinesis; the stack also for object storage and Postgres.
 */
import { z } from 'zod'
import { testedSourceInput } from './pipeSourceInputs.ts'
import { nullsLeftOut } from './pipeTexts.ts'

/** The input of clients. The deployment checks unknown fields. */
export const discoveryInput = z.looseObject({ source: z.looseObject({}) })

export const discoveryInputStrict = z.strictObject({ source: nullsLeftOut(testedSourceInput) })

const field = z.looseObject({
  name: z.string(),
  /** A column type. */
  type: z.string(),
  /** Whether some records do not have it. */
  optional: z.boolean().nullish(),
})
export type DiscoveredField = z.infer<typeof field>

export const discovery = z.looseObject({
  fields: z.array(field),
  /** Texts by name, as deployments have them. Those of the stack are an extension. */
  meta: z.record(z.string(), z.string()).nullish(),
})
export type Discovery = z.infer<typeof discovery>

/** A sample of a source, as the metadata of the stack has it. */
export interface SourceSample {
  /** The records or rows that were read. */
  sampled: number
  /** The first of them, at most ten. */
  preview: readonly Record<string, unknown>[]
}

export const sampleMeta = ({ sampled, preview }: SourceSample): Record<string, string> => ({
  sampled: String(sampled),
  preview: JSON.stringify(preview),
})

/** @returns an empty sample for metadata of another deployment */
export function sampleIn(meta: Discovery['meta']): SourceSample {
  try {
    const preview = z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(meta?.['preview'] ?? '[]'))
    return { sampled: Number(meta?.['sampled'] ?? 0), preview }
  } catch {
    return { sampled: 0, preview: [] }
  }
}

const foundTable = z.object({
  schema: z.string(),
  name: z.string(),
  /** As the server estimates it; null where it does not. */
  rows: z.number().nullable(),
  bytes: z.number().nullable(),
  primaryKey: z.array(z.string()),
  /** The phase after the copy of the table: its changes from the log, its new rows only, or nothing. */
  follows: z.enum(['changes', 'newRows', 'nothing']),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
})
/** A table of a database that can be chosen for a pipe. */
export type FoundTable = z.infer<typeof foundTable>

const foundServer = z.object({
  version: z.string(),
  walLevel: z.string(),
  /** Whether the user may replicate changes. */
  canReplicate: z.boolean(),
})
export type FoundServer = z.infer<typeof foundServer>

/** The result of a database test, in the metadata of the stack: an extension. */
const foundDatabase = z.object({ server: foundServer, tables: z.array(foundTable) })
export type FoundDatabase = z.infer<typeof foundDatabase>

export const databaseMeta = (found: FoundDatabase): Record<string, string> => ({ database: JSON.stringify(found) })

/** @returns null for a source of another kind, and for the metadata of another deployment */
export function databaseIn(meta: Discovery['meta']): FoundDatabase | null {
  try {
    return foundDatabase.nullable().parse(JSON.parse(meta?.['database'] ?? 'null'))
  } catch {
    return null
  }
}
