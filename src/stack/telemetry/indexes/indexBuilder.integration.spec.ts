/** Indexes for rows that were there before: what is built, and what becomes of it when something comes between. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mountSmall } from '#node/testing/fullDisk.ts'
import { program } from '#node/testing/program.ts'
import { testTasks, type TestTasks } from '#stack/testing/testTasks.ts'
import type { IndexChoice } from '../../config.ts'
import { openStore, type Store } from '../../store/store.ts'
import { openEngine, type Engine } from '../engine/engine.ts'
import { ensureTables, tables } from '../tables.ts'
import { ensureIndexes } from './ensureIndexes.ts'
import { startIndexBuilder, type IndexBuilder } from './indexBuilder.ts'
import { indexSizes, indexStates } from './indexState.ts'

const wanted: IndexChoice[] = [
  { name: 'logs.body', kind: 'text' },
  { name: 'logs.attributes', kind: 'bloom' },
  { name: 'traces.duration', kind: 'text' },
]
const pauses = { poll: 10, retry: 200 }
const logger = pino({ level: 'silent' })
const soon = { timeout: 30_000, interval: 20 }

let folder: string
let engine: Engine | undefined
let store: Store
let stack: TestTasks
let builders: IndexBuilder[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indexes-'))
  store = await openStore({ file: join(folder, 'stack.db') })
  stack = await testTasks(store)
})
afterEach(async () => {
  for (const builder of builders.splice(0)) await builder.close()
  await stack.presence.leave()
  await store.close()
  await engine?.close()
  engine = undefined
  await rm(folder, { recursive: true, force: true })
})

async function opened(dataDir = folder): Promise<Engine> {
  engine = await openEngine({ dataDir })
  await ensureTables(engine)
  return engine
}

function build(over: Engine, choices = wanted, { tasks } = stack): IndexBuilder {
  const builder = startIndexBuilder({ engine: over, store, tasks, wanted: choices, logger, pauses })
  builders.push(builder)
  return builder
}

/** Rows of three days. */
const fill = (over: Engine, rows = 3000) =>
  over.command(`INSERT INTO ${tables.logs} (Timestamp, Body, LogAttributes)
    SELECT now64(9) - toIntervalDay(number % 3), concat('word', toString(number), ' ', hex(cityHash64(number))),
      map('key', toString(number)) FROM numbers(${rows})`)

/** The share of each index, and the largest size first. */
const shares = async (over: Engine) =>
  (await indexStates(over)).map(({ name, granules, indexedGranules }) => `${name} ${indexedGranules}/${granules}`)

const complete = ['idx_log_attr_key 3/3', 'idx_log_attr_value 3/3', 'idx_lower_body 3/3', 'idx_duration 0/0']
const isComplete = (builder: IndexBuilder) =>
  expect.poll(async () => (await builder.state()).state, soon).toBe('complete')

test('rows that were there before get the indexes, and new ones have them', async () => {
  const over = await opened()
  await fill(over)
  await ensureIndexes(over, wanted)
  const before = ['idx_log_attr_key 0/3', 'idx_log_attr_value 0/3', 'idx_lower_body 0/3', 'idx_duration 0/0']
  expect(await shares(over)).toEqual(before)
  await isComplete(build(over))
  expect(await shares(over)).toEqual(complete)
  const sizes = await indexSizes(over)
  expect(sizes.find(({ name }) => name === 'idx_lower_body')?.bytes).toBeGreaterThan(10_000)
  await over.command(`SYSTEM STOP MERGES ${tables.logs}`)
  await fill(over)
  expect(await shares(over)).toEqual(complete.map((share) => share.replaceAll('3/3', '6/6')))
})

test('another choice drops what it does not name, and replaces what has another type', async () => {
  const over = await opened()
  await fill(over)
  await ensureIndexes(over, wanted)
  await isComplete(build(over))
  const attributes: IndexChoice[] = [{ name: 'logs.attributes', kind: 'text' }]
  await ensureIndexes(over, attributes)
  await ensureIndexes(over, attributes)
  expect(await shares(over)).toEqual(['idx_log_attr_key 0/3', 'idx_log_attr_value 0/3'])
  await isComplete(build(over, attributes))
  const types = (await indexStates(over)).map(({ type, granules, indexedGranules }) => [
    type,
    granules - indexedGranules,
  ])
  expect(types).toEqual(Array.from({ length: 2 }, () => ["text(tokenizer = 'array')", 0]))
  await ensureIndexes(over, [])
  expect(await shares(over)).toEqual([])
  const [kept] = await over.query('SELECT count() AS rows FROM otel_logs')
  expect(kept).toEqual({ rows: '3000' })
})

test('stops on request, also at the next start, until it is continued', async () => {
  const over = await opened()
  await fill(over)
  await ensureIndexes(over, wanted)
  await over.command(`SYSTEM STOP MERGES ${tables.logs}`)
  const builder = build(over)
  await expect.poll(async () => (await builder.state()).state, soon).toBe('building')
  await builder.stop()
  expect(await over.query('SELECT 1 FROM system.mutations WHERE NOT is_done AND NOT is_killed')).toEqual([])
  await builder.close()
  await over.command(`SYSTEM START MERGES ${tables.logs}`)
  const next = build(over)
  expect(await next.state()).toMatchObject({ state: 'stopped' })
  await next.continue()
  await isComplete(next)
  expect(await shares(over)).toEqual(complete)
})

test('gives up a build that is only being started when somebody stops it', async () => {
  const over = await opened()
  await fill(over)
  await ensureIndexes(over, wanted)
  await over.command(`SYSTEM STOP MERGES ${tables.logs}`)
  const held = new EventEmitter()
  const beginning = once(held, 'beginning')
  const steps: string[] = []
  const slow: Engine = {
    ...over,
    async command(sql, options) {
      if (!sql.includes('MATERIALIZE INDEX')) return over.command(sql, options)
      held.emit('beginning')
      await once(held, 'released')
      await over.command(sql, options)
      steps.push('begun')
    },
  }
  const builder = build(slow)
  await beginning
  const stopping = builder.stop().then(() => steps.push('stopped'))
  await expect.poll(async () => (await builder.state()).state, soon).toBe('stopped')
  // A stop that does not wait for the start of the build looks for builds now, and finds none.
  await over.query('SELECT 1 FROM system.mutations')
  held.emit('released')
  await stopping
  expect(steps).toEqual(['begun', 'stopped'])
  expect(await over.query('SELECT 1 FROM system.mutations WHERE NOT is_done AND NOT is_killed')).toEqual([])
})

test('one of several stacks builds, and another one goes on when it is gone', async () => {
  const over = await opened()
  await fill(over)
  await ensureIndexes(over, wanted)
  const lease = await stack.tasks.take('telemetry indexes')
  const builder = build(over)
  await expect.poll(async () => (await builder.state()).problem, soon).toBe('another stack builds them')
  await lease?.release()
  await isComplete(builder)
})

test('a table that is dropped meanwhile is left out', async () => {
  const over = await opened()
  await fill(over)
  await ensureIndexes(over, wanted)
  await over.command(`SYSTEM STOP MERGES ${tables.logs}`)
  const builder = build(over)
  await expect.poll(async () => (await builder.state()).state, soon).toBe('building')
  await over.command(`DROP TABLE ${tables.logs} SYNC`)
  await isComplete(builder)
})

test('is continued after kill -9, and no row is lost', async () => {
  const worker = program(join(import.meta.dirname, '../../testing/indexWorker.ts'))
  const child = spawn(process.execPath, [...worker.execArgv, worker.file, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await exit
  const over = await opened()
  const body: IndexChoice[] = [{ name: 'logs.body', kind: 'text' }]
  await ensureIndexes(over, body)
  await isComplete(build(over, body))
  const [state] = await indexStates(over)
  expect(state).toMatchObject({ granules: state?.indexedGranules })
  const found = await over.query(
    `SELECT count() AS rows, countIf(hasToken(lower(Body), 'word77777')) AS words,
       (SELECT count() FROM otel_logs WHERE hasToken(lower(Body), 'word77777')) AS indexed FROM otel_logs`,
  )
  expect(found).toEqual([{ rows: '300000', words: '1', indexed: '1' }])
})

test('waits while the disk has too little space', async () => {
  const small = join(folder, 'small')
  await mkdir(small)
  const unmount = mountSmall(small, 400 * 1024)
  if (!unmount) return
  try {
    const over = await opened(small)
    await fill(over)
    await ensureIndexes(over, wanted)
    const builder = build(over)
    await expect
      .poll(async () => (await builder.state()).problem, soon)
      .toMatch(/too little free space for the indexes of otel_logs/)
    await builder.close()
    await over.close()
    engine = undefined
  } finally {
    unmount()
  }
})
