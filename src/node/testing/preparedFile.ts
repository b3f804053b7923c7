/** SQLite files for tests that have the tables of a new store: making them takes longer than all else of a start. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes the file when it is first asked for, once for all specs of a worker.
 * @param make opens a new store at this path, as the product does, and closes it
 * @returns its content
 */
export function preparedFile(name: string, make: (file: string) => Promise<void>): () => Promise<Buffer> {
  let content: Promise<Buffer> | undefined
  const prepare = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prepared-'))
    try {
      const file = join(folder, name)
      await make(file)
      return await readFile(file)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return () => (content ??= prepare())
}
