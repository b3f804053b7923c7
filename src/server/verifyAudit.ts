/**
 * `npm run verify-audit [-- FILE]`: checks the chain of the audit log in `DATA_DIR`, or of exported JSON lines. The console
 * may be running. Exits with 2 if the chain is broken.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AuditVerification } from '#contract/audit.ts'
import { ChainCheck } from '#gateway/audit/auditChain.ts'
import { AuditStore } from '#gateway/audit/auditStore.ts'
import { openConsoleDatabase } from './consoleDatabase.ts'
import { readSettings } from './serverSettings.ts'

async function verify(file: string | undefined): Promise<AuditVerification> {
  if (file !== undefined) return verifyLines(file)
  const database = await openConsoleDatabase(readSettings(process.env))
  try {
    return await new AuditStore(database).verify()
  } finally {
    await database.close()
  }
}

async function verifyLines(file: string): Promise<AuditVerification> {
  const check = new ChainCheck()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line !== '') check.add(JSON.parse(line))
  }
  return check.result()
}

try {
  const { entries, head, fault } = await verify(process.argv[2])
  if (fault) {
    console.error(`Entry ${fault.seq}: ${fault.problem} The ${entries} entries before it are as they were written.`)
    process.exitCode = 2
  } else {
    console.log(`${entries} entries are as they were written. The hash of the newest is ${head ?? 'none'}.`)
  }
} catch (error) {
  // The message is more useful than a stack trace.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
