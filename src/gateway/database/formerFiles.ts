/** Files of earlier versions whose content is in the database now. */
import type { z } from 'zod'
import { renameDurably, StateFile } from '#node/files/atomicFile.ts'

/**
 * Stores the content of a file, if it is there, and keeps the file aside as `….migrated`. A kill in between leaves the file,
 * so that the next start does it again: `store` must not fail for what is stored already.
 * @throws UnusableState for a damaged file
 */
export async function takeOverFile<S extends z.ZodType>(
  path: string,
  schema: S,
  store: (content: z.output<S>) => Promise<void>,
): Promise<void> {
  const content = new StateFile(path, schema).read()
  if (content === undefined) return
  await store(content)
  renameDurably(path, `${path}.migrated`)
}
