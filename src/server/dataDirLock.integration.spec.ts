import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './dataDirLock.ts'
import { program } from '#node/testing/program.ts'

const holder = program(join(import.meta.dirname, 'testing/dataDirHolder.ts'))
let dataDir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A console in a separate process, and its message about the lock. */
async function start() {
  const child = spawn(process.execPath, [...holder.execArgv, holder.file, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = (await once(createInterface(child.stdout), 'line')) as [string] // readline gives lines
  return { child, said }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('a second console refuses to start, with one line that says what to do', async () => {
  const lock = await lockDataDir(dataDir)
  const refusal = `DATA_DIR ${dataDir} is in use by another console (process ${process.pid}). Stop that one, or set DATA_DIR to another folder.`
  expect((await start()).said).toBe(refusal)
  await expect(lockDataDir(dataDir)).rejects.toThrow(refusal)
  await lock.release()
  expect((await start()).said).toBe('held')
})

test('a killed console releases the directory, even if its process ID is reused', { timeout: 60_000 }, async () => {
  const { child, said } = await start()
  expect(said).toBe('held')
  await kill(child)
  // A process id that was given to another program since.
  writeFileSync(join(dataDir, 'console.pid'), String(process.ppid))
  const lock = await lockDataDir(dataDir)
  await lock.release()
  expect(existsSync(join(dataDir, 'console.pid'))).toBe(false)
})

test('of several that start at once, one gets the directory', { timeout: 60_000 }, async () => {
  const all = await Promise.all(Array.from({ length: 4 }, start))
  expect(all.filter(({ said }) => said === 'held')).toHaveLength(1)
  expect(all.filter(({ said }) => said.includes('is in use by another console'))).toHaveLength(3)
})

test('removes files that a kill left incomplete, and nothing else', async () => {
  const { pid } = spawnSync(process.execPath, ['--eval', '0'])
  const left = [`connections.json.${pid}.new`, `sessions.json.${pid}.new`]
  for (const file of [...left, 'connections.json', 'mine.new']) writeFileSync(join(dataDir, file), '{}')
  const lock = await lockDataDir(dataDir)
  expect(readdirSync(dataDir).toSorted()).toEqual(['connections.json', 'console.lock', 'console.pid', 'mine.new'])
  await lock.release()
})
