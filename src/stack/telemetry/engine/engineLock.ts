/** Finds the process that uses an engine's directory. */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'

export interface Holder {
  pid: number
  /** The process that started it and may start it again; undefined for the system's first. */
  parent: number | undefined
}

/**
 * The other process that has the engine's lock file open, according to the file and to the system's list of open files;
 * undefined if there is none, or if it is unknown (not on Linux, or a process of another user).
 */
export async function holderOf(directory: string): Promise<Holder | undefined> {
  try {
    const lock = await realpath(join(directory, 'status'))
    const pid = numberIn(/^PID: (\d+)/m, await readFile(lock, 'utf8'))
    // The id may belong to another process by now. Only the open file is proof.
    if (pid === undefined || pid === process.pid || !(await hasOpen(pid, lock))) return undefined
    const parent = numberIn(/^PPid:\s*(\d+)/m, await readFile(`/proc/${pid}/status`, 'utf8'))
    return { pid, parent: parent !== undefined && parent > 1 ? parent : undefined }
  } catch {
    return undefined
  }
}

async function hasOpen(pid: number, path: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`
  const descriptors = await readdir(folder)
  const targets = await Promise.all(descriptors.map((name) => readlink(join(folder, name)).catch(() => '')))
  return targets.includes(path)
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}
