/**
 * The API between console and gateway for the records of a connection as one zip of files, those that the command line has.
 * Deployments do not have it.
 */
import { z } from 'zod'
import { entered, startedPlan, type TargetPlan } from './runs.ts'

/** Bytes of a zip that can be imported. */
export const maxZipBytes = 20 * 1024 * 1024

const path = z.string().min(1).max(2_000)

/** Records of files for a connection. */
export const fileImportInput = z.object({
  /** The zip, as base64. */
  zip: z.string().max(Math.ceil(maxZipBytes / 3) * 4, 'The zip is larger than 20 MiB'),
  /** Whether records that the zip does not have are deleted, of the kinds that it has. */
  prune: z.boolean().default(false),
  /** Whether records that cannot be written, and those that need them, are left out. What the connection has of them stays. */
  leaveOut: z.boolean().default(false),
  entered,
  /** The URLs of webhooks and the keys in their bodies, which files do not have, by `FileImportPlan.secrets.id`. */
  secrets: z.record(path, z.string().min(1).max(2_000)).default({}),
})
export type FileImportInput = z.input<typeof fileImportInput>
export const fileImportStart = fileImportInput.extend(startedPlan)

export interface FileImportPlan extends TargetPlan {
  /** URLs and keys of webhooks that somebody has to give. */
  secrets: { id: string; name: string; of: 'url' | 'routingKey'; isKnown: boolean }[]
  /** Records of the zip that are not part of the plan. */
  leftOut: { kind: string; name: string }[]
  /** The number of records in the zip. */
  files: number
}

/** Which secret of the files one is: the path of the file for the URL of its webhook, with the variable for a key. */
export const secretIdOf = (file: string, { variable, of }: { variable: string; of: 'url' | 'routingKey' }): string =>
  of === 'url' ? file : `${file}#${variable}`

/** The header of an exported zip with what it has, as JSON with percent encoding: it is a list of `ExportedKind`. */
export const exportedKindsHeader = 'x-exported-kinds'

const exportedKind = z.object({
  kind: z.string(),
  /** The number of records; undefined if they are not in the zip. */
  count: z.number().optional(),
  /** Why they are not. */
  state: z.enum(['notOffered', 'failed']).optional(),
  reason: z.string().optional(),
})
export const exportedKinds = z.array(exportedKind)
export type ExportedKind = z.infer<typeof exportedKind>
