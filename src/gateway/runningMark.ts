/** `console.pid` in the data directory says that a console runs on it: what two programs must not write at once is left alone. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '#node/stateFile.ts'

const pathOf = (dataDir: string) => join(dataDir, 'console.pid')

/** Says so from now on, until the answer is called. */
export function markRunning(dataDir: string): () => void {
  writeAtomically(pathOf(dataDir), String(process.pid))
  return () => rmSync(pathOf(dataDir), { force: true })
}

/** The process of the console that runs on a data directory; null where none does, and where it was killed. */
export function runningConsole(dataDir: string): number | null {
  const pid = readPid(pathOf(dataDir))
  return pid !== null && pid !== process.pid && isAlive(pid) ? pid : null
}

function readPid(path: string): number | null {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
