/**
 * The note that a restore into a data directory is under way: `restore.json`. It is the first file that a restore writes and
 * the last that it removes, so that nobody takes what a killed restore left for a whole data directory.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { consoleCommand } from '../consoleCommand.ts'
import { StateFile, UnusableState } from './atomicFile.ts'

const note = z.object({
  /** `moving`: what was there is put aside, and nothing of the backup is there yet. */
  phase: z.enum(['moving', 'restoring']),
  /** The folder in the data directory for what was there. */
  aside: z
    .string()
    .regex(/^replaced-[\w-]+$/)
    .nullable(),
})
export type RestoreNote = z.infer<typeof note>

export const restoreNote = 'restore.json'
const noteFile = (dataDir: string) => new StateFile(join(dataDir, restoreNote), note)

export const readRestoreNote = (dataDir: string): RestoreNote | undefined => noteFile(dataDir).read()
export const writeRestoreNote = (dataDir: string, content: RestoreNote): void => noteFile(dataDir).write(content)

export function removeRestoreNote(dataDir: string): void {
  rmSync(join(dataDir, restoreNote), { force: true })
}

/** @throws UnusableState if a restore into the data directory was interrupted */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, restoreNote))) return
  throw new UnusableState(
    `A restore into DATA_DIR ${dataDir} is under way or was interrupted. Run it again to complete it: ${consoleCommand('restore')}.`,
  )
}
