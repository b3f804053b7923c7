/** The team of several stacks on one PostgreSQL database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstStart } from '../startup/firstStart.ts'
import { openStore, type Store } from '../store/store.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { firstContent } from '../testing/testStack.ts'
import { rotateIngestionKey, openLiveKeys } from './ingestionKeys.ts'
import { invite, join } from './invitations.ts'
import { memberRows, memberWithKey, removeMember, rotateAccessKey } from './members.ts'

const password = 'Correct-horse-7-battery'

let dataDir: string
let stores: [Store, Store]
beforeEach(async () => {
  dataDir = await mkdtemp(joinPath(tmpdir(), 'stack-team-'))
  const url = await newDatabase()
  stores = [await openStore({ url, dataDir }), await openStore({ url, dataDir })]
  for (const store of stores) await firstStart(store, firstContent)
})
afterEach(async () => {
  for (const store of stores) await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function joined() {
  const { token } = await stores[0].write((transaction) => invite(transaction, { email: 'ada@example.com' }))
  const joins = await Promise.allSettled([...stores, ...stores].map((store) => join(store, token, password)))
  const members = joins.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(members).toHaveLength(1)
  return members[0]!
}

test('one invitation is used once, whichever stack gets the form', async () => {
  await joined()
  expect(await memberRows.count(stores[1])).toBe(2)
})

test('a key that is rotated or removed on one stack is refused by the other at once', async () => {
  const [here, there] = stores
  const { id, accessKey } = await joined()
  const caller = await memberWithKey(there, accessKey)
  const rotations = await Promise.allSettled(
    [here, there].map((store) => store.write((transaction) => rotateAccessKey(transaction, caller!, undefined))),
  )
  const keys = rotations.flatMap((rotation) => (rotation.status === 'fulfilled' ? [rotation.value] : []))
  expect(keys).toHaveLength(1)
  expect(await memberWithKey(here, accessKey)).toBeUndefined()
  expect(await memberWithKey(there, accessKey)).toBeUndefined()
  expect(await memberWithKey(there, keys[0]!)).toMatchObject({ id })

  const owner = (await memberRows.all(here)).find(({ isOwner }) => isOwner)
  const ownerCaller = await memberWithKey(here, owner?.accessKey ?? '')
  await here.write((transaction) => removeMember(transaction, ownerCaller!, id))
  expect(await memberWithKey(there, keys[0]!)).toBeUndefined()
})

test('an ingestion key that is rotated on one stack is known to the other, which reports it', async () => {
  const [here, there] = stores
  const onChange = vi.fn()
  const live = await openLiveKeys({ store: there, logger: pino({ level: 'silent' }), onChange, every: 10 })
  const old = live.credentials().ingestionKey
  const key = await here.write((transaction) => rotateIngestionKey(transaction, { overlapMinutes: 60 }))
  await vi.waitFor(() => expect(live.credentials().ingestionKey).toBe(key), 20_000)
  expect(live.accepted()).toEqual([{ key }, { key: old, validUntil: expect.any(Number) }])
  expect(onChange).toHaveBeenCalledExactlyOnceWith(live.credentials())
  await live.close()
})
