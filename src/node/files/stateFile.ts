/** A small JSON file with one writer, which is held in memory and replaced as a whole. */
import { existsSync, readFileSync } from 'node:fs'
import type { z } from 'zod'
import { writeAtomically } from './atomicFile.ts'

/** A file in DATA_DIR cannot be used. The message is one line for people and names the file. */
export class UnusableState extends Error {
  override name = 'UnusableState'
}

export class StateFile<S extends z.ZodType> {
  constructor(
    private readonly path: string,
    private readonly schema: S,
  ) {}

  /** The stored state, or undefined if there is none. @throws UnusableState for a damaged file */
  read(): z.output<S> | undefined {
    if (!existsSync(this.path)) return undefined
    try {
      return this.schema.parse(JSON.parse(readFileSync(this.path, 'utf8')))
    } catch (cause) {
      throw new UnusableState(
        `${this.path} is damaged. Restore it from a backup, or remove it to start with an empty one.`,
        { cause },
      )
    }
  }

  /** Returns once the state is on the disk. @throws NotStored if the disk is full or read-only: the old state stays */
  write(state: z.input<S>): void {
    writeAtomically(this.path, JSON.stringify(state, null, 2))
  }
}
