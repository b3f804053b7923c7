import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { openEngine, type Engine } from './engine/engine.ts'
import { EngineError } from './engine/engineError.ts'
import { ensureTables, tables } from './tables.ts'
import { program } from '#node/testing/program.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'durability-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({ dataDir })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

const worker = program(path.join(import.meta.dirname, '../testing/insertWorker.ts'))
const insert = () =>
  spawn(process.execPath, [...worker.execArgv, worker.file, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })

test('acknowledged data survives kill -9', async () => {
  const child = insert()
  const exit = once(child, 'exit')
  let answered = -1
  for await (const line of createInterface({ input: child.stdout })) {
    answered = Number(line)
    if (answered === 30) child.kill('SIGKILL')
  }
  await exit
  expect(answered).toBeGreaterThanOrEqual(30)
  const batches = await withEngine((engine) =>
    engine.query<{ batch: number; count: string }>(
      'SELECT toUInt32(Body) AS batch, count() AS count FROM otel_logs GROUP BY batch ORDER BY batch',
    ),
  )
  // The last one may be stored without a response. None is stored partly.
  expect(batches.map(({ batch }) => batch).slice(0, answered + 1)).toEqual(
    Array.from({ length: answered + 1 }, (_, at) => at),
  )
  expect(batches.every(({ count }) => count === '100')).toBe(true)
}, 30_000)

test('a restart keeps tables and rows, and a table of an earlier version no longer deletes by the clock of the machine', async () => {
  const row = { Timestamp: `${Math.floor(currentTime() / 1000)}.000000000`, Body: 'kept' }
  await withEngine(async (engine) => {
    await ensureTables(engine, 30)
    await engine.insert(tables.logs, [row])
    for (const name of [tables.logs, tables.traces])
      await engine.command(`ALTER TABLE ${name} MODIFY TTL toDateTime(Timestamp) + toIntervalDay(30)`)
  })
  const after = await withEngine(async (engine) => {
    await ensureTables(engine, 7)
    const rows = await engine.query('SELECT Body FROM otel_logs')
    const kept = await engine.query<{ engine_full: string }>(
      `SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'otel_') AND engine != 'View'`,
    )
    return { rows, kept }
  })
  expect(after.rows).toEqual([{ Body: 'kept' }])
  expect(after.kept).toHaveLength(Object.keys(tables).length)
  expect(after.kept.filter((table) => table.engine_full.includes('TTL '))).toEqual([])
}, 30_000)

test('the next start changes only what is missing', async () => {
  const missing = 'ALTER TABLE otel_logs MODIFY SETTING merge_selector_base = 10'
  await withEngine(async (engine) => {
    await ensureTables(engine)
    const made = await engine.query<{ engine_full: string }>(
      `SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND engine = 'MergeTree'`,
    )
    const settings =
      /merge_selector_base = 10, min_free_disk_bytes_to_perform_insert = 67108864, vertical_merge_algorithm_min_rows_to_activate = 16384\b/
    expect(made.map(({ engine_full }) => settings.test(engine_full))).toEqual(Object.keys(tables).map(() => true))
    await engine.command('ALTER TABLE otel_logs RESET SETTING merge_selector_base')
  })
  const commands: string[] = []
  const start = () =>
    withEngine((engine) =>
      ensureTables({
        ...engine,
        command: (sql, options) => {
          commands.push(sql)
          return engine.command(sql, options)
        },
      }),
    )
  await start()
  expect(commands).toEqual([missing])
  await start()
  expect(commands).toEqual([missing])
}, 30_000)

test('a closed engine rejects writes', async () => {
  const engine = await openEngine({ dataDir })
  const last = engine.query('SELECT 1 AS one')
  await engine.close()
  expect(await last).toEqual([{ one: 1 }])
  await expect(engine.query('SELECT 1')).rejects.toMatchObject({ type: 'CLOSED' })
  await expect(engine.close()).resolves.toBeUndefined()
})

test('reports a directory that another process uses', async () => {
  const child = insert()
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  const error: unknown = await openEngine({ dataDir }).catch((error: unknown) => error)
  child.kill('SIGKILL')
  await exit
  expect(error).toBeInstanceOf(EngineError)
  expect(String(error)).toMatch(/in use by process|another process uses it/)
}, 30_000)
