/**
 * Runs of two consoles on one PostgreSQL database, on machines whose clocks differ by an hour: one console carries out a run,
 * the other one takes it over when that one is killed, and nothing is written twice.
 */
import { strToU8, zipSync } from 'fflate'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseJson } from '#contract/wire/json.ts'
import type { ChangePage } from '#contract/console/history.ts'
import type { RunDetail, Started, TargetPlan } from '#contract/console/runs.ts'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { startMemoryUpstream, type MemoryUpstream } from '#gateway/testing/memoryUpstream.ts'
import { generousBudgetsFor, type Hit } from '#gateway/testing/testGateway.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { shiftedClock } from '#node/testing/shiftedClock.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import type { GatewayOrder } from '../testing/orderedGateway.ts'
import { startKillable, type KillableGateway } from '../testing/killableGateway.ts'

type Call = KillableGateway['call']
type Created = Parameters<MemoryUpstream['records']['create']>[1]
type Side = 'behind' | 'ahead'
const kinds = ['promotion', 'fileImport', 'restore', 'undo'] as const
type Kind = (typeof kinds)[number]

/** Longer than others take to notice an end, on a busy machine. */
const noticed = { timeout: 60_000, interval: 200 }
const longTest = { timeout: 120_000 }
const hour = 3_600_000
const names = ['One', 'Two', 'Three']
const folder = mkdtempSync(join(tmpdir(), 'differing-clocks-'))
/** The seconds by which the clock of a console differs. */
const offsetFile = (side: Side) => join(folder, `offset-${side}`)
const offsets = { behind: '-1800', ahead: '+1800' }

let from: MemoryUpstream
let to: MemoryUpstream
let order: GatewayOrder
let consoles: Record<Side, KillableGateway>

beforeAll(async () => {
  from = await startMemoryUpstream('f')
  to = await startMemoryUpstream('t')
  const connection = (id: string, { url }: MemoryUpstream) =>
    ({
      id,
      name: id,
      variant: 'openSource',
      stage: 'staging',
      baseUrl: url,
      allowPrivate: true,
      accessKey: 'k',
    }) as const
  order = {
    dataDir: join(folder, 'behind'),
    distDir: minimalPages(folder),
    databaseUrl: await newDatabase(),
    budgets: generousBudgetsFor(from.url, to.url),
    tuning: { beat: 250 },
    seeds: [connection('from', from), connection('to', to)],
  }
  const behind = await start('behind')
  // They have the same key.
  cpSync(join(folder, 'behind'), join(folder, 'ahead'), { recursive: true })
  consoles = { behind, ahead: await start('ahead') }
}, 120_000)
afterAll(async () => {
  await Promise.all(Object.values(consoles).map((console) => console.kill()))
  await Promise.all([from, to].map((one) => one.close()))
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  for (const { records, behaviour } of [from, to]) {
    for (const all of Object.values(records.records)) all.clear()
    behaviour.before = async () => {}
  }
  for (const name of names) await from.records.create('dashboards', { name, tags: [], tiles: [] })
})

function start(side: Side): Promise<KillableGateway> {
  writeFileSync(offsetFile(side), offsets[side])
  return startKillable({ ...order, dataDir: join(folder, side) }, shiftedClock(offsetFile(side)))
}

const boards = () => [...to.records.records.dashboards.values()].map(({ name }) => String(name)).toSorted()
const runOf = (call: Call, id: string) => call<RunDetail>('GET', `/api/runs/${id}`)
const write = (call: Call, method: string, path: string, body?: object) =>
  call(method, `/api/c/to/stack/dashboards${path}`, body)
const untilState = (call: Call, id: string, state: RunDetail['state']) =>
  expect.poll(async () => (await runOf(call, id)).state, noticed).toBe(state)

/** Prepares a run. @returns starts what was planned, by any console, and what the target has afterwards */
async function planned(kind: Kind, call: Call): Promise<{ begin(by: Call): Promise<Started>; wanted: string[] }> {
  if (kind === 'promotion') {
    const records = [...from.records.records.dashboards.keys()].map((id) => ({ kind: 'dashboards', id }))
    const input = { from: 'from', records, targets: [{ connectionId: 'to' }] }
    const { targets } = await call<{ targets: TargetPlan[] }>('POST', '/api/promotions/plan', input)
    const digests = { to: targets[0]?.digest }
    return { begin: (by) => by('POST', '/api/promotions', { ...input, digests }), wanted: names }
  }
  if (kind === 'undo') {
    const { begin } = await planned('promotion', call)
    const [id = ''] = (await begin(call)).runs
    await untilState(call, id, 'done')
    const { digest } = await call<TargetPlan>('POST', `/api/runs/${id}/undo/plan`, {})
    return { begin: (by) => by('POST', `/api/runs/${id}/undo`, { digest }), wanted: [] }
  }
  const path = kind === 'restore' ? '/api/connections/to/restores' : '/api/connections/to/file-imports'
  const input = kind === 'restore' ? await deletedBoards(call) : { zip: zipOfBoards() }
  const { digest } = await call<TargetPlan>('POST', `${path}/plan`, input)
  return { begin: (by) => by('POST', path, { ...input, digests: { to: digest } }), wanted: names }
}

function zipOfBoards(): string {
  const files = names.map((name) => [`dashboards/${name}.yaml`, strToU8(`name: ${name}\ntags: []\ntiles: []\n`)])
  return Buffer.from(zipSync(Object.fromEntries(files))).toString('base64')
}

/** Writes the records and deletes them. @returns which they were, and when all were there, as the history has it */
async function deletedBoards(call: Call): Promise<object> {
  for (const name of names) await write(call, 'POST', '', { name, tags: [], tiles: [] })
  const { items } = await call<ChangePage>('GET', '/api/connections/to/history')
  const ids = [...to.records.records.dashboards.keys()]
  for (const id of ids) await write(call, 'DELETE', `/${id}`)
  return { time: items[0]?.at, records: ids.map((id) => ({ kind: 'dashboards', id })) }
}

/** Notes writes from now on. @param before is awaited before a write takes effect */
function noteWrites(before: (count: number, hit: Hit) => Promise<void>): string[] {
  const writes: string[] = []
  to.behaviour.before = async (hit) => {
    if (hit.method !== 'GET') await before(writes.push(hit.body || hit.url), hit)
  }
  return writes
}

/** Lets the second write from now on take effect, and never answers it. */
function leaveSecondWrite() {
  let arrive = () => {}
  const arrived = new Promise<void>((done) => (arrive = done))
  const writes = noteWrites(async (count, { method, url, body }) => {
    if (count !== 2) return
    if (method === 'POST') await to.records.create('dashboards', parseJson(body) as Created) // a record
    else await to.records.remove('dashboards', url.slice(url.lastIndexOf('/') + 1))
    arrive()
    await new Promise(() => {})
  })
  return { writes, arrived }
}

test.each(kinds)('a %s that is started on both at once is carried out by one of them', longTest, async (kind) => {
  const { behind, ahead } = consoles
  const { begin, wanted } = await planned(kind, behind.call)
  let go = () => {}
  const bothAnswered = new Promise<void>((done) => (go = done))
  const writes = noteWrites(() => bothAnswered)
  const answers = await Promise.allSettled([begin(behind.call), begin(ahead.call)])
  go()
  const ids = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.runs : []))
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []))
  expect(refusals, JSON.stringify(ids)).toEqual([expect.stringContaining('Another run writes to this deployment')])
  for (const { call } of [behind, ahead]) await untilState(call, ids[0] ?? '', 'done')
  expect(boards()).toEqual(wanted.toSorted())
  expect(new Set(writes).size).toBe(writes.length)
  expect(writes).toHaveLength(names.length)
  const run = await runOf(ahead.call, ids[0] ?? '')
  for (const time of [run.startedAt, run.finishedAt ?? '']) {
    expect(Math.abs(Date.parse(time) - currentTime()), time).toBeLessThan(hour / 4)
  }
})

const takeovers: [Side, Kind][] = [
  ['behind', 'promotion'],
  ['ahead', 'fileImport'],
  ['behind', 'restore'],
  ['ahead', 'undo'],
]

test.each(takeovers)(
  'when the console %s is killed, its %s goes on through the other one',
  longTest,
  async (side, kind) => {
    const { [side]: killed, [side === 'ahead' ? 'behind' : 'ahead']: other } = consoles
    const { begin, wanted } = await planned(kind, killed.call)
    const { writes, arrived } = leaveSecondWrite()
    const [id = ''] = (await begin(killed.call)).runs
    await arrived
    // Clocks that are set meanwhile change nothing either.
    writeFileSync(offsetFile('ahead'), '-7200')
    await expect(other.call('POST', `/api/runs/${id}/resume`)).rejects.toThrow('blocked')
    await expect(begin(other.call)).rejects.toThrow(/blocked|conflict/)
    await killed.kill()
    await untilState(other.call, id, 'interrupted')
    await other.call('POST', `/api/runs/${id}/resume`)
    await untilState(other.call, id, 'done')
    expect(boards()).toEqual(wanted.toSorted())
    expect(new Set(writes).size, 'the write that was under way was found').toBe(writes.length)
    consoles[side] = await start(side)
    writeFileSync(offsetFile('ahead'), offsets.ahead)
    expect(await runOf(consoles[side].call, id)).toMatchObject({ state: 'done', counts: { done: names.length } })
    expect(writes).toHaveLength(names.length)
  },
)
