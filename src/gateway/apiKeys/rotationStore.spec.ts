import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../database/database.ts'
import { SealedJson } from '../database/sealedJson.ts'
import { openTestDatabase, storedBytes } from '../testing/testDatabase.ts'
import { OwnWrites } from '../cluster/ownWrites.ts'
import { RotationStore, type StoredRotation } from './rotationStore.ts'

let folder: string
let database: Database
let store: RotationStore
let sealed: SealedJson

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rotations-'))
  database = await openTestDatabase(folder)
  await database.write({ sql: "INSERT INTO consoles (id, beat) VALUES ('one', 0), ('other', 0)" })
  sealed = new SealedJson(randomBytes(32))
  store = new RotationStore(new OwnWrites(database, 'one'), sealed)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const secret = 'secret-of-the-new-key'

function rotation(id: string, organizationId = 'Org-1'): StoredRotation {
  return {
    id,
    connectionId: 'one',
    phase: 'rotate',
    state: 'running',
    done: 0,
    startedAt: `2026-01-01T00:00:0${id.length}.000Z`,
    endedAt: undefined,
    version: 1,
    owner: 'one',
    isLeft: false,
    details: {
      actor: 'Mira',
      by: 'p1',
      personId: 'p1',
      baseUrl: 'https://api.example.com',
      organizationId,
      oldKey: { id: 'k1', name: 'Old', suffix: 'abcd' },
      newKey: { name: 'Neuester – 新', suffix: 'wxyz', expireAt: null },
      access: { assignedRoleIds: ['r1'], ipAccessList: [{ source: '0.0.0.0/0' }] },
      pairs: { old: { keyId: 'a', keySecret: 'b' }, new: { keyId: 'c', keySecret: secret } },
    },
  }
}

const create = (storedRotation: StoredRotation) => store.create(storedRotation)

test('is read as it was stored, the newest first, and its keys are sealed', async () => {
  expect([await create(rotation('a')), await create(rotation('bb', 'Org-2'))]).toEqual([true, true])
  expect(await store.get('a')).toEqual(rotation('a'))
  expect((await store.list()).map(({ id }) => id)).toEqual(['bb', 'a'])
  expect(await store.get('none')).toBeUndefined()
  const bytes = await storedBytes(folder)
  for (const hidden of [secret, 'Neuester', 'Mira']) expect(bytes).not.toContain(hidden)
})

test('of several that replace a key at once, one begins; the next once that has ended', async () => {
  // The ID of an organization in another spelling is the same one.
  const all = ['a', 'bb', 'ccc', 'dddd'].map((id, at) => create(rotation(id, at % 2 === 0 ? 'Org-1' : 'ORG-1')))
  expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1)
  const [begun] = await store.list()
  if (!begun) throw new Error('none began')
  expect(await create(rotation('eeeee'))).toBe(false)
  const end = { ...begun, state: 'done', endedAt: '2026-01-02T00:00:00.000Z' } as const
  expect(await store.update({ ...end, details: { ...end.details, pairs: null } })).toMatchObject({ version: 2 })
  expect(await create(rotation('eeeee'))).toBe(true)
})

test('of several that change it at once, one does', async () => {
  await create(rotation('a'))
  const changes = [1, 2, 3].map((done) => store.update({ ...rotation('a'), done }))
  const stored = (await Promise.all(changes)).filter((storedRotation) => storedRotation !== undefined)
  expect(stored).toHaveLength(1)
  expect(await store.get('a')).toEqual(stored[0])
})

test('is left once its console has ended, and then belongs to whoever goes on with it', async () => {
  await create(rotation('a'))
  const other = new RotationStore(new OwnWrites(database, 'other'), sealed)
  expect(await other.get('a')).toMatchObject({ owner: 'one', isLeft: false })
  await database.write({ sql: "DELETE FROM consoles WHERE id = 'one'" })
  const left = await other.get('a')
  expect(left).toMatchObject({ owner: 'one', isLeft: true })
  expect(await other.update(left!)).toMatchObject({ owner: 'other', isLeft: false }) // it was just read
  expect(await other.get('a')).toMatchObject({ owner: 'other', isLeft: false, version: 2 })
})
