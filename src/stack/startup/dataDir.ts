/** The folder that everything is kept in. */
import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes the folder, for this user alone, unless it is there. Throws an Error whose message is one line for a person.
 * One level at a time: asked for all of them, Node never comes back from file systems without folders of ours (`/proc`).
 */
export async function makeDataDir(path: string): Promise<void> {
  try {
    for (const folder of await missingFolders(resolve(path))) await mkdir(folder, { mode: 0o700 }).catch(unlessThere)
    if (!(await stat(path)).isDirectory()) throw new Error('it is a file')
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`DATA_DIR must be a folder that can be written (${reason}).`, { cause })
  }
}

/** From the top. */
async function missingFolders(path: string): Promise<string[]> {
  const isThere = await stat(path).then(() => true, isMissing)
  return isThere ? [] : [...(await missingFolders(dirname(path))), path]
}

/** @returns false; rethrows anything but that there is no such thing */
function isMissing(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOENT') return false
  throw error
}

/** Somebody else was faster. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
