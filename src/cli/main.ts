/** The command line of Stack Console: the records of a deployment as files. */
import { readCommandLine } from './commandLine.ts'
import { explain } from './deployment.ts'
import { run } from './run.ts'

try {
  const line = readCommandLine(process.argv.slice(2))
  if ('help' in line) process.stdout.write(line.help)
  else {
    process.exitCode = await run(line, {
      env: process.env,
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    })
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
