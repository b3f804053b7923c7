import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { mountSmall } from '#node/testing/fullDisk.ts'
import { program } from '#node/testing/program.ts'

const filler = program(join(import.meta.dirname, 'testing/fullDiskProcess.ts'))
const folder = () => mkdtempSync(join(tmpdir(), 'full-disk-'))
const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

/** A folder on a file system of 2 MiB, for the database and its log; null if this user cannot mount one. */
function smallFileSystem(): string | null {
  const path = folder()
  const unmount = mountSmall(path, 2048)
  ends.push(() => {
    unmount?.()
    rmSync(path, { recursive: true, force: true })
  })
  return unmount && path
}

/** If the user cannot mount a file system, the process cannot write files of any size, which fails in the same way. */
const places = { limited: folder, mounted: smallFileSystem }

test.each(['limited', 'mounted'] as const)('a full disk (%s) changes nothing, and the error names it', (kind) => {
  const mounted = places[kind]()
  const args = [...filler.execArgv, filler.file, mounted ?? folder(), mounted ? kind : 'limited']
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  const { refused, history, full, after, run, end } = JSON.parse(stdout)
  for (const [what, answer] of Object.entries(refused)) {
    expect(answer, what).toMatchObject({
      status: 507,
      code: 'notStored',
      message: expect.stringMatching(
        /^(The disk that holds DATA_DIR is full|console\.db in DATA_DIR cannot be written)( \(\w+\))?\. Nothing was changed\.$/,
      ),
    })
  }
  // A write is entered in the history before it is sent, so it is not sent. Everything else works without the history.
  const { write, settings, plan, stored, ...reads } = history
  for (const answer of [write, settings]) expect(answer).toMatchObject({ status: 507, code: 'notStored' })
  expect(stored).toEqual(['Kept'])
  for (const [what, answer] of Object.entries(reads)) expect(answer, what).toMatchObject({ status: 200 })
  expect(reads.list.json.result).toMatchObject([{ name: 'Kept' }])
  // Versions that the history could not store were there all the same.
  expect(plan.json).toMatchObject({ counts: { delete: 0, same: 1 } })
  expect([after.write.status, after.list.json.result.length]).toEqual([200, 2])
  expect(after.changes.json.items).toMatchObject([{ name: 'New', action: 'created', outcome: 'done' }])
  expect(run).toEqual({ whileFull: 'interrupted', resume: 200, afterwards: 'done', stored: ['New', 'Kept'] })
  expect(full.memory).toEqual({ connections: ['Stack', 'First'], sessions: 1 })
  expect(full.disk).toEqual(full.memory)
  expect(full.left).toEqual([])
  // The link that could not be used is not used up.
  expect([after.create.status, after.signIn.status]).toEqual([200, 200])
  expect(end.memory).toEqual({ connections: ['Stack', 'First', 'Second'], sessions: 2 })
  expect(end.disk).toEqual(end.memory)
})
