/**
 * One folder for all files that specs write, which is gone after the run: in memory where there is enough of it, since
 * syncing a disk takes a quarter of their time.
 */
import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const inMemory = '/dev/shm'
/** Bytes. Several times what a whole run writes, so that no spec finds a full disk that it did not ask for. */
const room = { folder: 4 * 2 ** 30, machine: 8 * 2 ** 30 }
const variable = 'SPEC_FOLDER'
const prefix = 'stack-console-specs-'

export default function setUp(): (() => void) | undefined {
  // Each project calls this; the first one serves all.
  if (process.env[variable] !== undefined) return undefined
  const parent = hasRoom() ? inMemory : tmpdir()
  removeAbandoned(parent)
  const folder = join(parent, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const before = process.env['TMPDIR']
  process.env[variable] = process.env['TMPDIR'] = folder
  return () => {
    delete process.env[variable]
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true })
  }
}

function hasRoom(): boolean {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= room.folder && process.availableMemory() >= room.machine
  } catch {
    // Only Linux has it.
    return false
  }
}

/** Folders of runs that were killed: they would take memory until the machine starts again. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch (error) {
      // Such as a disk that a killed spec has mounted in it. Vitest would report that no spec was found.
      process.stderr.write(`The folder of an earlier run stays: ${String(error)}\n`)
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's process runs as well.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH' // Node throws no other errors here
  }
}
