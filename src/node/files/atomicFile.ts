/**
 * Files that are replaced as a whole: written beside the old one, flushed, renamed. A reader sees the old content or
 * the new one, even after kill -9. A state file is a small one in JSON with one writer, which holds it in memory.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  existsSync,
  readFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'

/** The disk cannot store a file because it is full or read-only. Nothing was changed. The message quotes no path. */
export class NotStored extends Error {
  override name = 'NotStored'
}

/** Replaces a file that only its owner may read. @throws NotStored if the disk is full or read-only: the old file stays */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}.new`
  try {
    writeDurably(temporary, content)
    renameDurably(temporary, path)
  } catch (error) {
    removeIfPossible(temporary)
    throw toNotStored(error)
  }
}

/** Renames a file. The rename is on the disk when this returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  const folder = openSync(dirname(to), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** An error here must not hide why the file was not written. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The next write replaces it.
  }
}

function writeDurably(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'w', 0o600)
  try {
    chmodSync(path, 0o600)
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function toNotStored(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException // what fs throws
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new NotStored(`The disk that holds DATA_DIR is full (${code}). Nothing was changed.`, { cause: error })
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new NotStored(`DATA_DIR is read-only for this process (${code}). Nothing was changed.`, { cause: error })
    default:
      return error
  }
}

/** A file in DATA_DIR cannot be used. The message is one line for people and names the file. */
export class UnusableState extends Error {
  override name = 'UnusableState'
}

export class StateFile<S extends z.ZodType> {
  readonly #path: string
  readonly #schema: S

  constructor(path: string, schema: S) {
    this.#path = path
    this.#schema = schema
  }

  /** The stored state, or undefined if there is none. @throws UnusableState for a damaged file */
  read(): z.output<S> | undefined {
    if (!existsSync(this.#path)) return undefined
    try {
      return this.#schema.parse(JSON.parse(readFileSync(this.#path, 'utf8')))
    } catch (cause) {
      throw new UnusableState(
        `${this.#path} is damaged. Restore it from a backup, or remove it to start with an empty one.`,
        { cause },
      )
    }
  }

  /** Returns once the state is on the disk. @throws NotStored if the disk is full or read-only: the old state stays */
  write(state: z.input<S>): void {
    writeAtomically(this.#path, JSON.stringify(state, null, 2))
  }
}
