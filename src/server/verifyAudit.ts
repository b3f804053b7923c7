/**
 * `npm run verify-audit [-- FILE]`: checks the chain of the audit log in `DATA_DIR`, or of exported JSON lines. The console
 * may be running. Exits with 2 if the chain is broken or a line of the file cannot be read.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { verifyExport, type ExportVerification } from '#gateway/audit/auditChain.ts'
import { AuditStore } from '#gateway/audit/auditStore.ts'
import { openConsoleDatabase } from './consoleDatabase.ts'
import { readSettings } from './serverSettings.ts'

async function verify(file: string | undefined): Promise<ExportVerification> {
  if (file !== undefined) return verifyExport(createInterface({ input: createReadStream(file) }))
  const database = await openConsoleDatabase(readSettings(process.env))
  try {
    return { ...(await new AuditStore(database).verify()), damagedLines: [] }
  } finally {
    await database.close()
  }
}

try {
  const { entries, head, fault, damagedLines } = await verify(process.argv[2])
  for (const line of damagedLines) console.error(`Line ${line} is damaged: its entry cannot be checked.`)
  if (fault || damagedLines.length > 0) process.exitCode = 2
  if (fault) {
    console.error(`Entry ${fault.seq}: ${fault.problem} ${entries} entries before it are as they were written.`)
  } else if (damagedLines.length > 0) {
    console.error(`The other ${entries} entries are as they were written.`)
  } else {
    console.log(`${entries} entries are as they were written. The hash of the newest is ${head ?? 'none'}.`)
  }
} catch (error) {
  // The message is more useful than a stack trace.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
