import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { locationOf } from '#contract/console/deployments.ts'
import { api } from '#contract/index.ts'
import { parseJson } from '#contract/wire/json.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { openTestHistory, target, type TestHistory } from '../testing/testHistory.ts'
import { Versions } from './versions.ts'

let history: TestHistory
beforeEach(async () => {
  history = await openTestHistory()
})
afterEach(() => history.close())

type Document = Record<string, unknown>

/** Stores the documents as versions of one record, one after the other. @returns their hashes */
async function keep(documents: readonly unknown[], id = 'record'): Promise<string[]> {
  const { versions, states, store, deployment } = history
  const hashes: string[] = []
  for (const document of documents) {
    const version = versions.of('dashboards', document)
    await store.write(...(await states.put(deployment, 'dashboards', { id, name: '' }, version, 'now')))
    hashes.push(version.hash)
  }
  return hashes
}

const keyframes = () => history.count('versions', 'base IS NULL')
const words = (count: number, from: number) =>
  Array.from({ length: count }, (_, at) => (((at + from) * 2_654_435_761) % 4_294_967_296).toString(36)).join(' ')
const tile = (at: number) => ({ id: `tile-${at}`, name: words(20, at * 1_000) })
const board = { name: 'Board', tiles: Array.from({ length: 20 }, (_, at) => tile(at)) }

const tiles = fc.array(fc.record({ name: fc.string({ unit: 'binary' }), config: fc.jsonValue() }), { maxLength: 12 })
const document = fc.record({ name: fc.string(), tiles, more: fc.jsonValue() })
/** A document and its changes: of one field, of one tile, of everything. */
const sequences = fc
  .tuple(
    document,
    fc.array(
      fc.oneof(
        document,
        document.map(({ more }) => ({ more })),
        tiles,
      ),
      { maxLength: 20 },
    ),
  )
  .map(([first, changes]) => {
    const versions: Document[] = [first]
    for (const change of changes) {
      const last = versions.at(-1) ?? first
      const next = Array.isArray(change) ? { tiles: [...change, ...(last['tiles'] as unknown[])].slice(0, 15) } : change
      versions.push({ ...last, ...next })
    }
    return versions
  })

test('every version of any sequence is rebuilt exactly, also after a restart', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(sequences, async (documents) => {
      const hashes = await keep(documents, `record-${++run}`)
      const restarted = new Versions(history.database, history.sealed)
      for (const [at, hash] of hashes.entries()) {
        const { text } = history.versions.of('dashboards', documents[at])
        expect(restarted.of('dashboards', await restarted.read(hash))).toEqual({ hash, text })
      }
    }),
    { numRuns: 40 },
  )
})

test('a small change is a difference, and another document is whole', async () => {
  const renamed = { ...board, tiles: board.tiles.with(3, { ...tile(3), name: 'Renamed' }) }
  await keep([board, renamed])
  expect(await keyframes()).toBe(1)
  await keep([{ name: 'Other', tiles: [tile(100), tile(101), tile(102)] }])
  expect(await keyframes()).toBe(2)
})

test('changes of one tile at a time take far less than whole documents', async () => {
  const documents = [board]
  for (let at = 0; at < 100; at++) {
    const last = documents.at(-1) ?? board
    documents.push({ ...last, tiles: last.tiles.with(at % 20, tile(1_000 + at)) })
  }
  await keep(documents)
  const [row] = await history.database.rows('SELECT sum(length(bytes)) AS bytes FROM versions')
  const whole = documents.reduce((sum, one) => sum + history.sealed.sealText('', JSON.stringify(one)).length, 0)
  expect(Number(row?.['bytes'])).toBeLessThan(whole / 2)
  const frames = await keyframes()
  expect(frames).toBeGreaterThan(1)
  expect(frames).toBeLessThan(25)
})

test('the same content is stored once, whoever has it', async () => {
  const other = { ...board, name: 'Other' }
  const first = await keep([board, other, board, other], 'one')
  expect(await keep([other, board], 'two')).toEqual([first[1], first[0]])
  expect(await history.count('versions')).toBe(2)
  expect(await history.versions.read(first[0] ?? '')).toEqual(board)
})

test('documents beyond the window of the compression are rebuilt', async () => {
  const large = { name: 'Large', text: words(20_000, 1), end: 'one' }
  const documents = [large, { ...large, end: 'two' }, { ...large, name: 'Renamed' }]
  const hashes = await keep(documents)
  for (const [at, hash] of hashes.entries()) expect(await history.versions.read(hash)).toEqual(documents[at])
})

test('numbers stay as the deployment wrote them', async () => {
  const text = '{"large":12345678901234567890,"small":1.0}'
  const [hash = ''] = await keep([parseJson(text)])
  expect(history.versions.of('dashboards', await history.versions.read(hash)).text).toBe(text)
})

test('what changes by itself is not part of a version, and neither is the order of keys', () => {
  const { versions } = history
  const { hash } = versions.of('dashboards', { name: 'Board', tags: [], updatedAt: '2024-01-01' })
  expect(versions.of('dashboards', { updatedAt: '2025-01-01', tags: [], name: 'Board' }).hash).toBe(hash)
  expect(versions.of('alerts', { name: 'Board', tags: [] }).hash).not.toBe(hash)
})

test('a version is only known of the deployments that had it', async () => {
  const { journal, queries, versions, deployment } = history
  const first = { id: 'a', name: 'Board', tiles: [] }
  const second = { ...first, name: 'Renamed' }
  await history.listed([first])
  await history.listed([second])
  const kindsOf = (at: string) =>
    Promise.all([first, second].map((document) => queries.kindOf(at, versions.of('dashboards', document).hash)))
  expect(await kindsOf(deployment)).toEqual(['dashboards', 'dashboards'])
  const other = { ...target, baseUrl: 'https://other.example' }
  const list = { endpoint: api.dashboards.list, path: '/api/v2/dashboards', priority: 'user' } as const
  journal.seen(other, list, [{ ...first, name: 'Another' }], performance.now(), true)
  await journal.settled()
  expect(await kindsOf(locationOf(other).deployment)).toEqual([undefined, undefined])
})

test('the hash of a short secret tells nothing without the key', async () => {
  const other = await openTestHistory()
  const secret = { name: 'Hook', url: 'https://hooks.example/1234' }
  expect(other.versions.of('webhooks', secret).hash).not.toBe(history.versions.of('webhooks', secret).hash)
  await other.close()
})

test('changes that were made are found behind writes that were not', async () => {
  const end = await history.begin('made')
  await end?.({ result: { id: 'made', name: 'made', tiles: [] } })
  const refused = await history.begin('refused')
  await refused?.(new ApiFailure({ code: 'invalid', message: 'No', status: 400 }, 400))
  await history.begin('pending')
  const namesOf = async (query: object) =>
    (await history.store.list(history.deployment, { limit: 1, ...query })).map(({ name }) => name)
  expect(await namesOf({})).toEqual(['pending'])
  expect(await namesOf({ made: '1' })).toEqual(['made'])
})
