/** How `backup` and `restore` run: progress on stderr, the outcome on stdout, and errors as one line. */
import { sayer, type Say } from './progress.ts'

/** @param usage shown for arguments that do not exist */
export async function runCommand(usage: string, work: (say: Say) => Promise<string[]>): Promise<never> {
  // Keys and records: for this user only.
  process.umask(0o077)
  try {
    const lines = await work(sayer((line) => process.stderr.write(`${line}\n`)))
    process.stdout.write(`${lines.join('\n')}\n`)
    process.exit(0)
  } catch (error) {
    // The message is more useful than a stack trace.
    const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
    process.stderr.write(`${errorMessage(error)}\n${isUsage ? `${usage}\n` : ''}`)
    process.exit(1)
  }
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk is full. Nothing was kept. (${error.message})`
  return error.message
}
