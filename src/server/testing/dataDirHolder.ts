/** A console's part that locks its data directory, in a process of its own: says what came of it, and stays if it has it. */
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
