import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { program } from '#node/testing/program.ts'

test('a process that npm started is told that the shell around it was ended', async () => {
  const { execArgv, file } = program(join(import.meta.dirname, '../testing/parentWatcher.ts'))
  // As npx does it: a shell between npm and the process gets the signal, and does not pass it on.
  const shell = spawn('sh', ['-c', '"$0" "$@"; true', process.execPath, ...execArgv, file], {
    env: { PATH: process.env['PATH'], npm_lifecycle_event: 'npx' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('watching')
  const ended = once(shell, 'exit')
  shell.kill('SIGTERM')
  await ended
  expect((await lines.next()).value).toBe('the parent has ended')
})
