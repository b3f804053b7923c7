/** How `backup` and `restore` run: progress on stderr, the outcome on stdout, and errors as one line. */

/** @param usage shown for arguments that do not exist */
export async function runCommand(usage: string, work: (say: Say) => Promise<string[]>): Promise<never> {
  // Keys and records: for this user only.
  process.umask(0o077)
  try {
    const lines = await work(progressReporter((line) => process.stderr.write(`${line}\n`)))
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

/** Progress messages of commands. */
export interface Say {
  (line: string): void
  /** @returns a reporter for work in many steps: it says the first step after a while, and then the newest from time to time */
  every(): (line: string) => void
}

/** Milliseconds between two reports. */
const reportEvery = 2_000

export function progressReporter(write: (line: string) => void): Say {
  const every = () => {
    let last = performance.now()
    return (line: string) => {
      if (performance.now() - last < reportEvery) return
      last = performance.now()
      write(line)
    }
  }
  return Object.assign((line: string) => write(line), { every })
}
