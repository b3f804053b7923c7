import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { program } from '#node/testing/program.ts'

const { file, execArgv } = program(resolve(import.meta.dirname, '../verifyAudit.ts'))

test('damaged lines of a file are named without their content', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verify-audit-'))
  const path = join(folder, 'audit.jsonl')
  writeFileSync(path, 'SEEDED {"seq":1}\n\n{"seq":2,"actor":"SEEDED')
  const ran = promisify(execFile)(process.execPath, [...execArgv, file, path], { env: { PATH: process.env['PATH'] } })
  const lines = [1, 3].map((line) => `Line ${line} is damaged: its entry cannot be checked.\n`)
  const stderr = `${lines.join('')}The other 0 entries are as they were written.\n`
  await expect(ran).rejects.toMatchObject({ code: 2, stdout: '', stderr })
  rmSync(folder, { recursive: true })
})
