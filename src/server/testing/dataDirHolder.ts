/** Locks a data directory in a separate process: reports the result, and keeps the lock if it has it. */
import { lockDataDir } from '../dataDirLock.ts'

const [, , dataDir = ''] = process.argv
try {
  await lockDataDir(dataDir)
  process.stdout.write('held\n')
  setInterval(() => {}, 60_000)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
