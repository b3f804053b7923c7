/** Writes files of a backup: readable by this user only, on the disk, and with their checksums. */
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { filesBelow, type ManifestFile } from './manifest.ts'

/** Files at a time: enough to keep a disk busy. */
const atOnce = 8

/** Moves a folder to a place that does not exist: without copying if it is on the same disk. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error // what fs throws
    await eachFile(from, async (path) => {
      await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_EXCL)
      await rm(join(from, path))
    })
  }
}

/** Makes all files and folders below a folder readable by this user only, and flushes them to the disk. @returns the files with their checksums */
export async function finishFiles(folder: string, onProgress: (bytes: number) => void): Promise<ManifestFile[]> {
  const files: ManifestFile[] = []
  let done = 0
  await eachFile(folder, async (path) => {
    const hash = createHash('sha256')
    await chmod(join(folder, path), 0o600)
    await pipeline(createReadStream(join(folder, path)), hash)
    await flush(join(folder, path))
    const { size: bytes } = await stat(join(folder, path))
    files.push({ path, bytes, sha256: hash.digest('hex') })
    onProgress((done += bytes))
  })
  await secureAndFlushFolders(folder)
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the folders below a folder readable by this user only, and flushes them: only then are the names of their files on the disk. */
export async function secureAndFlushFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of entries.filter((entry) => entry.isDirectory())) {
    await chmod(join(parentPath, name), 0o700)
    await flush(join(parentPath, name))
  }
  await flush(folder)
}

/** Brings everything below a folder to the disk, whatever it has. */
export async function flushAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found = entries.filter((entry) => entry.isFile() || entry.isDirectory()).values()
  const worker = async () => {
    for (const { parentPath, name } of found) await flush(join(parentPath, name)).catch(unlessGone)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  await flush(folder)
}

/** The log of a database is removed some time after the database was closed. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** Some files at a time, until one fails. */
async function eachFile(folder: string, work: (path: string) => Promise<void>): Promise<void> {
  const paths = await filesBelow(folder)
  const next = paths.values()
  const worker = async () => {
    for (const path of next) await work(path)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
