/** `credentials.json` in the data directory: how programs and tests find the way in. The stack writes its keys there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '#node/stateFile.ts'

const credentials = z.record(z.string(), z.unknown())

/** Puts the newest sign-in link beside what is there; readable by its owner alone. */
export function keepSignInUrl(dataDir: string, signInUrl: string): void {
  const path = join(dataDir, 'credentials.json')
  const kept = existsSync(path) ? credentials.parse(JSON.parse(readFileSync(path, 'utf8'))) : {}
  writeAtomically(path, `${JSON.stringify({ ...kept, signInUrl }, null, 2)}\n`)
}
