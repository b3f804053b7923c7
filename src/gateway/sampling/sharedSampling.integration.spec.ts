/** Metrics of a connection that two consoles show: each reading is made once, and both have all. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { openDatabase } from '../database/database.ts'
import {
  answerText,
  startTestGateway,
  startUpstream,
  type TestGateway,
  type TestUpstream,
} from '../testing/testGateway.ts'
import { SharedSamples } from './sharedSamples.ts'

let scrapes = 0
let upstream: TestUpstream
const open: TestGateway[] = []
let start: (pace: number) => Promise<TestGateway>
beforeAll(async () => {
  upstream = await startUpstream((hit, response) => {
    scrapes += 1
    return answerText(`ClickPipes_FetchedEvents_Total{clickpipe_id="p"} ${scrapes}\n`, 'text/plain')(hit, response)
  })
  const shared = { databaseUrl: await newDatabase(), secret: 'the-secret-of-both-consoles' }
  start = async (pace) => {
    const intervals = { first: pace, usual: pace, longest: pace }
    const gateway = await startTestGateway(upstream, { ...shared, tuning: { intervals } })
    open.push(gateway)
    return gateway
  }
}, 60_000)
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()))
  await upstream.close()
})

async function seenOn(gateway: TestGateway, query = '') {
  const { json } = await gateway.call('GET', `/api/connections/managed/pipe-samples${query}`)
  const [pipe] = json['pipes'] as { samples: { fetchedEvents: number }[] }[]
  return { run: json['run'], at: json['at'], values: pipe?.samples.map(({ fetchedEvents }) => fetchedEvents) ?? [] }
}

test('what one console has read, the other one shows without reading it again, also after a restart', async () => {
  const hour = 3_600_000
  const [one, other] = [await start(hour), await start(hour)]
  const first = await seenOn(one)
  expect(first.values).toEqual([1])
  expect(await seenOn(other)).toEqual(first)
  expect(scrapes).toBe(1)
  // Somebody asks for a reading now.
  const second = await seenOn(other, '?retry=true')
  expect(second.values).toEqual([1, 2])
  const { run, at } = first
  expect((await seenOn(one, `?run=${String(run)}&after=${String(at)}`)).values).toEqual([2])
  await other.close()
  open.splice(open.indexOf(other), 1)
  expect(await seenOn(await start(hour))).toEqual(second)
  expect(scrapes).toBe(2)
})

test('a reading that is stored after a later one is shown on neither', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'))
  const database = await openDatabase(folder, await newDatabase())
  const samples = new SharedSamples(database)
  const place = { connectionId: 'one', revision: '1' }
  const reading = (at: number) => ({ at, pace: 20, pipes: new Map(), services: new Map() })
  const now = currentTime()
  for (const at of [now - 30, now - 10, now - 20]) await samples.add(place, reading(at))
  expect((await samples.after(place, 0)).map(({ at }) => at)).toEqual([now - 30, now - 10])
  await database.close()
})

test('two that go on reading show the same series', { timeout: 60_000 }, async () => {
  const [one, other] = [await start(20), await start(20)]
  await seenOn(one)
  const patient = { timeout: 30_000, interval: 100 }
  await vi.waitFor(async () => expect((await seenOn(other)).values.length).toBeGreaterThan(6), patient)
  const [all, more] = [(await seenOn(one)).values, (await seenOn(other)).values]
  expect(more.slice(0, all.length)).toEqual(all)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(new Set(all).size, 'each is shown once').toBe(all.length)
})
