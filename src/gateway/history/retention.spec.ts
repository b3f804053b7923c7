import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { openTestHistory, type TestHistory } from '../testing/testHistory.ts'
import { applyRetention, historyBytes } from './retention.ts'

let history: TestHistory
beforeEach(async () => {
  history = await openTestHistory()
})
afterEach(() => history.close())

const day = 86_400_000
const unlimited = { days: 36_500, bytes: 2 ** 40 }
const words = (count: number, from: number) =>
  Array.from({ length: count }, (_, at) => (((at + from) * 2_654_435_761) % 4_294_967_296).toString(36)).join(' ')
const board = (id: string, version: number) => ({
  id,
  name: id,
  tiles: Array.from({ length: 5 }, (_, at) => ({
    name: words(40, at * 100 + (at <= version % 7 ? version * 1_000 : 0)),
  })),
})

/** The versions of each record; enough for several keyframes. */
const usualVersions = 16
const lastVersion = usualVersions - 1

/** Some records with many versions, keyframes and differences; one of them is gone at the end. */
async function fill(records = 8, versions = usualVersions): Promise<void> {
  for (let version = 0; version < versions; version++) {
    const isLast = version === versions - 1
    const all = Array.from({ length: records }, (_, at) => board(`board-${at}`, version * (at + 1)))
    await history.listed(isLast ? all.slice(1) : all)
  }
}

/** @returns the number of versions that the changes and records name */
async function everyNamedVersionIsRebuilt(): Promise<number> {
  const { versions, deployment, queries } = history
  const records = await history.known()
  const changes = await history.changes()
  const named = new Set([
    ...[...records.values()].map(({ hash }) => hash),
    ...changes.flatMap(({ before, after }) => [before, after]),
  ])
  named.delete(undefined)
  for (const hash of named) {
    const document = await versions.read(String(hash))
    expect(versions.of('dashboards', document).hash).toBe(hash)
  }
  for (const { id, goneAt } of records.values()) {
    const shown = await queries.versions(deployment, 'dashboards', id)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.some(({ isCurrent }) => isCurrent)).toBe(goneAt === null)
    for (const { version } of shown) expect(await versions.read(version)).toBeDefined()
  }
  return named.size
}

/** As if what was stored so far were older. */
async function age(days: number): Promise<void> {
  for (const [table, column] of Object.entries({ changes: 'at', records: 'gone_at' })) {
    const rows = await history.database.rows(
      `SELECT DISTINCT ${column} AS at FROM ${table} WHERE ${column} IS NOT NULL`,
    )
    for (const { at } of rows) {
      const older = new Date(Date.parse(String(at)) - days * 86_400_000).toISOString()
      await history.database.write({
        sql: `UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`,
        args: [older, String(at)],
      })
    }
  }
}

test('within the limits, everything stays', async () => {
  await fill()
  const before = [await history.count('versions'), await history.count('changes'), await history.count('records')]
  await applyRetention(history, unlimited)
  expect([await history.count('versions'), await history.count('changes'), await history.count('records')]).toEqual(
    before,
  )
  expect(await history.count('versions', 'base IS NULL')).toBeGreaterThan(8)
  expect(await history.count('versions', 'base IS NOT NULL')).toBeGreaterThan(8)
  expect(await everyNamedVersionIsRebuilt()).toBe(before[0])
})

test('by age, the newest version of every living record stays', async () => {
  await fill()
  const newest = await history.known()
  await age(10)
  await history.listed([
    board('board-1', 999),
    ...Array.from({ length: 6 }, (_, at) => board(`board-${at + 2}`, lastVersion * (at + 3))),
  ])
  await applyRetention(history, { ...unlimited, days: 5 })
  expect(await history.changes()).toMatchObject([{ recordId: 'board-1', before: newest.get('board-1')?.hash }])
  const known = await history.known()
  expect([...known.keys()]).toEqual(Array.from({ length: 7 }, (_, at) => `board-${at + 1}`))
  expect(await everyNamedVersionIsRebuilt()).toBe(8)
  // Beside these, only the keyframes that they need.
  expect(await history.count('versions')).toBeLessThanOrEqual(8 + 7)
})

test('by size, the oldest changes go, and the newest version of every record stays', async () => {
  await fill(10, 30)
  const newest = await history.known()
  const limit = (await historyBytes(history.database)) * 0.6
  const changes = await history.changes()
  await applyRetention(history, { ...unlimited, bytes: limit })
  const held = await historyBytes(history.database)
  expect(held).toBeLessThanOrEqual(limit)
  expect(held).toBeGreaterThan(limit * 0.6)
  expect(await history.known()).toEqual(newest)
  const left = await history.changes()
  expect(left.length).toBeGreaterThan(0)
  expect(left).toEqual(changes.slice(0, left.length))
  await everyNamedVersionIsRebuilt()
})

test('a limit that cannot be met takes no living record and no write under way', async () => {
  await fill()
  const end = await history.begin('board-1', 'board-1')
  const newest = await history.known()
  await applyRetention(history, { ...unlimited, bytes: 1 })
  expect(await history.changes()).toMatchObject([{ outcome: 'pending' }])
  expect(await history.known()).toEqual(newest)
  await end?.({ result: board('board-1', 5_000) })
  expect(await history.changes()).toMatchObject([{ outcome: 'done', before: newest.get('board-1')?.hash }])
  await everyNamedVersionIsRebuilt()
})

test('a record that comes back after its versions were removed can be rebuilt', async () => {
  await fill()
  await age(10)
  await applyRetention(history, { ...unlimited, days: 5 })
  expect((await history.known()).has('board-0')).toBe(false)
  const back = Array.from({ length: 8 }, (_, at) => board(`board-${at}`, lastVersion * (at + 1)))
  await history.listed(back)
  await history.listed(back.with(0, { ...board('board-0', lastVersion), name: 'Renamed' }))
  await everyNamedVersionIsRebuilt()
  const { hash = '' } = (await history.known()).get('board-0') ?? {}
  expect(await history.versions.read(hash)).toMatchObject({ name: 'Renamed' })
})

test('what is written after the removal of old versions can be rebuilt', async () => {
  await fill()
  await age(10)
  await applyRetention(history, { ...unlimited, days: 5, bytes: 1 }, currentTime() + day)
  await fill()
  await everyNamedVersionIsRebuilt()
})
