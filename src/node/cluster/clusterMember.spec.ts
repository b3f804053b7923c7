/** Members on one database, which is a file here that says that it is shared. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFile } from '../database/fileDatabase.ts'
import type { RecordDatabase } from '../database/recordDatabase.ts'
import { ClusterMember, type ClusterDependencies } from './clusterMember.ts'

const tables = [
  'CREATE TABLE stacks (id TEXT PRIMARY KEY, beat INTEGER NOT NULL, place TEXT NOT NULL, kind TEXT NOT NULL)',
  'CREATE TABLE tasks (stack TEXT NOT NULL)',
]

interface Tested {
  member: ClusterMember
  /** While it is, no beat reaches the database. */
  cut: { isCut: boolean }
  /** How many beats failed, and how many reached the database. */
  beats: { failed: number; done: number }
}

let folder: string
let file: RecordDatabase
let members: ClusterMember[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  const options = { dataDir: folder, store: 'stack', title: 'The records' } as const
  file = await openFile(join(folder, 'records.db'), { ...options, migrations: { both: tables } })
})
afterEach(async () => {
  for (const member of members.splice(0)) await member.leave()
  await file.close()
  rmSync(folder, { recursive: true, force: true })
})

function prepare(dataDir: string, parts: Partial<ClusterDependencies> = {}): Tested {
  const cut = { isCut: false }
  const beats = { failed: 0, done: 0 }
  const transactConcurrently: RecordDatabase['transactConcurrently'] = async (work) => {
    if (cut.isCut) throw new Error('the database does not respond')
    return file.transactConcurrently(work)
  }
  const member = new ClusterMember({
    table: 'stacks',
    database: { ...file, isShared: true, transactConcurrently },
    dataDir,
    about: { kind: 'one' },
    conflict: () => undefined,
    removeOwned: async ({ run }, id) => void (await run('DELETE FROM tasks WHERE stack = ?', [id])),
    rejoins: false,
    onBeat: () => (beats.done += 1),
    onError: () => (beats.failed += 1),
    interval: 50,
    ...parts,
  })
  members.push(member)
  return { member, cut, beats }
}

async function joined(dataDir: string, parts?: Partial<ClusterDependencies>): Promise<Tested> {
  const tested = prepare(dataDir, parts)
  await tested.member.join()
  return tested
}

const ids = async () => (await file.rows('SELECT id FROM stacks')).map(({ id }) => id)

test('members know of each other until one leaves', async () => {
  const [one, other] = [await joined('a'), await joined('b')]
  expect(await ids()).toHaveLength(2)
  expect(await one.member.hasOthers()).toBe(true)
  await other.member.leave()
  expect(await ids()).toEqual([one.member.id])
  expect(await one.member.hasOthers()).toBe(false)
})

test('one that beats no more is removed, with what it had', async () => {
  const [one, other] = [await joined('a'), await joined('b')]
  await file.write([{ sql: 'INSERT INTO tasks (stack) VALUES (?), (?)', args: [one.member.id, other.member.id] }])
  other.cut.isCut = true
  await expect.poll(ids).toEqual([one.member.id])
  expect(await file.rows('SELECT stack FROM tasks')).toEqual([{ stack: one.member.id }])
  expect(one.member.isCertain).toBe(true)
  expect(other.member.isCertain).toBe(false)
})

test('one that was taken for ended joins again with nothing, if it may', async () => {
  const { member } = await joined('a', { rejoins: true })
  await file.write([{ sql: 'DELETE FROM stacks' }])
  await expect.poll(ids).toEqual([member.id])
  expect(member.losses).toBe(1)
  await expect.poll(() => member.isCertain).toBe(true)
})

test('otherwise it beats no more', async () => {
  const { member, beats } = await joined('a')
  await expect.poll(() => beats.done).toBeGreaterThan(0)
  await file.write([{ sql: 'DELETE FROM stacks' }])
  await expect.poll(() => member.losses).toBe(1)
  expect(member.isCertain).toBe(false)
  expect(await ids()).toEqual([])
})

test('an interruption of the database ends nobody', async () => {
  const both = [await joined('a'), await joined('b')]
  for (const { cut } of both) cut.isCut = true
  for (const { beats } of both) await expect.poll(() => beats.failed).toBeGreaterThan(20)
  for (const { cut, beats } of both) {
    cut.isCut = false
    beats.done = 0
  }
  for (const { beats } of both) await expect.poll(() => beats.done).toBeGreaterThan(3)
  expect(both.map(({ member }) => member.losses)).toEqual([0, 0])
})

test('it does not join beside one that it conflicts with, and removes one that has ended', async () => {
  const { member, cut } = await joined('a')
  const conflict: ClusterDependencies['conflict'] = ({ kind }) =>
    kind === 'two' ? undefined : new Error('another kind')
  await expect(prepare('b', { about: { kind: 'two' }, conflict }).member.join()).rejects.toThrow('another kind')
  expect(await ids()).toEqual([member.id])
  cut.isCut = true
  const next = await joined('b', { about: { kind: 'two' }, conflict })
  expect(await ids()).toEqual([next.member.id])
})

test('it takes the place of the former process of its data directory at once', async () => {
  const former = await joined('a')
  former.cut.isCut = true
  const next = await joined('a')
  expect(await ids()).toEqual([next.member.id])
})

test('in a file, whoever was there before has ended', async () => {
  await file.write([{ sql: `INSERT INTO stacks VALUES ('former', 7, 'elsewhere', 'one')` }])
  const { member } = await joined('a', { database: file, conflict: () => new Error('never asked') })
  expect(await ids()).toEqual([member.id])
  expect(member.isCertain).toBe(true)
  expect(await member.hasOthers()).toBe(false)
})
