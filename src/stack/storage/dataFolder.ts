/** The files of the data folder, by purpose. */
import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { folderParts, StorageReport } from '#contract/stack/storage.ts'

type FolderPart = (typeof folderParts)[number]

const partOf: readonly (readonly [pattern: RegExp, part: FolderPart])[] = [
  [/^stack\.(db|key|marker)|^credentials\.json$|^control\.json$/, 'records'],
  [/^console\./, 'console'],
  [/^backups$/, 'backups'],
  [/^(engine|inserts)(\.|$)/, 'engine'],
  [/^sample-staging$/, 'sample'],
  [/^reserve$/, 'reserve'],
  [/^files$/, 'files'],
]

/** Files that are read at a time. */
const atOnce = 64

/** Bytes of each part that has some. The tables of telemetry are part of `engine`. */
export async function folderSizes(dataDir: string): Promise<Map<FolderPart, number>> {
  const sizes = new Map<FolderPart, number>()
  for (const name of await readdir(dataDir).catch(() => [])) {
    const part = partOf.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
    const bytes = await sizeOf(join(dataDir, name))
    if (bytes > 0) sizes.set(part, (sizes.get(part) ?? 0) + bytes)
  }
  return sizes
}

/** The bytes of a file, or of all files below a folder. Files that are deleted meanwhile count as 0. */
async function sizeOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isDirectory()) return found?.size ?? 0
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  let bytes = 0
  for (let at = 0; at < files.length; at += atOnce) {
    const some = await Promise.all(files.slice(at, at + atOnce).map((file) => lstat(file).catch(() => undefined)))
    bytes += some.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  }
  return bytes
}

/** The disk of a folder, for this user. */
export async function diskOf(folder: string): Promise<StorageReport['disk']> {
  const found = await statfs(folder).catch(() => undefined)
  return found && { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }
}
