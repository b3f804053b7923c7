/**
 * A small JSON file that is replaced as a whole: written beside, flushed, renamed. A reader sees the old state or the
 * new one, after kill -9 too. For what is small, held in memory, and has one writer: a database would add no guarantee.
 */
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'

/** A file of the data folder cannot be used: one line for a person, which names it. */
export class UnusableState extends Error {
  override name = 'UnusableState'
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

  /** Returns once the state is on the disk. */
  write(state: z.input<S>): void {
    writeAtomically(this.path, JSON.stringify(state, null, 2))
  }
}

/** Replaces a file by text that only its owner may read. */
export function writeAtomically(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`
  const file = openSync(beside, 'w', 0o600)
  try {
    chmodSync(beside, 0o600)
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameDurably(beside, path)
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
