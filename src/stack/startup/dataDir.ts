/** Creates the data folder. */
import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates the folder for this user only, unless it exists. Throws an Error with one line for people.
 * One level at a time: with `recursive`, Node never returns on file systems such as `/proc`.
 */
export async function makeDataDir(path: string): Promise<void> {
  try {
    for (const folder of await missingFolders(resolve(path))) await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
    if (!(await stat(path)).isDirectory()) throw new Error('it is a file')
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`DATA_DIR must be a writable folder (${reason}).`, { cause })
  }
}

/** The missing folders, outermost first. */
async function missingFolders(path: string): Promise<string[]> {
  const isThere = await stat(path).then(() => true, isMissing)
  return isThere ? [] : [...(await missingFolders(dirname(path))), path]
}

/** @returns false; rethrows every error except that the file does not exist */
function isMissing(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOENT') return false
  throw error
}

/** Another process may have created it. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
