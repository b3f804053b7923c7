/**
 * A small JSON file that is replaced as a whole: written beside, flushed, renamed. A reader sees the old state or the
 * new one, after kill -9 too. For what is small, held in memory, and has one writer: a database would add no guarantee.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'

/** A file of the data folder cannot be used: one line for a person, which names it. */
export class UnusableState extends Error {
  override name = 'UnusableState'
}

/** The disk does not take a file: full, or read-only. Nothing was changed; the message quotes no path. */
export class NotStored extends Error {
  override name = 'NotStored'
}

export class StateFile<S extends z.ZodType> {
  constructor(
    private readonly path: string,
    private readonly schema: S,
  ) {}

  /** The stored state, or undefined when there is none. @throws UnusableState */
  read(): z.output<S> | undefined {
    if (!existsSync(this.path)) return undefined
    try {
      return this.schema.parse(JSON.parse(readFileSync(this.path, 'utf8')))
    } catch (cause) {
      throw new UnusableState(
        `${this.path} is damaged: restore it from a copy, or remove it to start with an empty one.`,
        { cause },
      )
    }
  }

  /** Returns once the state is on the disk. @throws NotStored where the disk does not take it: the old state stays */
  write(state: z.input<S>): void {
    writeAtomically(this.path, JSON.stringify(state, null, 2))
  }
}

/** Replaces a file by text that only its owner may read. @throws NotStored where the disk does not take it: the old file stays */
export function writeAtomically(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`
  try {
    writeDurably(beside, text)
    renameDurably(beside, path)
  } catch (error) {
    removeIfPossible(beside)
    throw explained(error)
  }
}

/** The reason why it was not written is what counts. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The next start removes it.
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    chmodSync(path, 0o600)
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** What the disk refused, in a sentence that quotes no path. */
function explained(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException // what fs throws
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new NotStored(`The disk that holds DATA_DIR is full (${code}): nothing was changed.`, { cause: error })
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new NotStored(`DATA_DIR is read-only for the console (${code}): nothing was changed.`, { cause: error })
    default:
      return error
  }
}

/** A rename that is on the disk when it returns. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  const folder = openSync(dirname(to), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
