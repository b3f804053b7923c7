/** Telemetry lives where a name is never a file, and folders of earlier versions are brought there. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drainPending, Session } from 'chdb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { earlierPipeTable, earlierRows, createEarlierDataDir } from '../../testing/earlierDataDir.ts'
import { openEngine, type Engine } from './engine.ts'
import { ensureTables, tables } from '../tables.ts'
import { program } from '#node/testing/program.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'upgrade-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({ dataDir })
  try {
    await ensureTables(engine)
    return await work(engine)
  } finally {
    await engine.close()
  }
}

async function withSession(work: (session: Session) => Promise<unknown>): Promise<void> {
  const session = new Session(join(dataDir, 'engine'))
  await work(session)
  session.close()
  await drainPending()
}

const names = [...Object.values(tables), earlierPipeTable]

async function counts(engine: Engine): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const name of names) {
    const [row] = await engine.query<{ n: string }>(`SELECT count() AS n FROM ${name}`)
    found[name] = Number(row?.n)
  }
  return found
}

const each = (rows: number, ofPipe = earlierRows) =>
  Object.fromEntries(names.map((name) => [name, name === earlierPipeTable ? ofPipe : rows]))

describe('data directory of an earlier version', () => {
  beforeEach(() => createEarlierDataDir(dataDir))

  test('is opened with all of its rows, accepts more, and is reopened', { timeout: 60_000 }, async () => {
    await withEngine(async (engine) => {
      expect(await counts(engine)).toEqual(each(earlierRows))
      await engine.insert(tables.logs, [{ Timestamp: `${Math.floor(currentTime() / 1000)}.000000000`, Body: 'later' }])
      await engine.insert(tables.gauge, [
        { MetricName: 'm', TimeUnix: Math.floor(currentTime() / 1000), TimeUnixFraction: 5 },
      ])
      await engine.command(`INSERT INTO ${earlierPipeTable} (id) VALUES (1)`)
    })
    const after = await withEngine(counts)
    expect(after).toEqual({
      ...each(earlierRows, earlierRows + 1),
      [tables.logs]: earlierRows + 1,
      [tables.gauge]: earlierRows + 1,
    })
  })

  test('is upgraded even if the upgrade is killed repeatedly', { timeout: 120_000 }, async () => {
    const { file, execArgv } = program(join(import.meta.dirname, '../../testing/upgradeWorker.ts'))
    // Each start but the first gets one table further: its first statement finds the database made.
    for (const steps of [1, 2, 3, 2]) {
      const child = spawn(process.execPath, [...execArgv, file, dataDir, String(steps)], { stdio: 'inherit' })
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    }
    expect(await withEngine(counts)).toEqual(each(earlierRows))
  })

  test('keeps the rows of both if the earlier version ran on it again', { timeout: 60_000 }, async () => {
    await withEngine(counts)
    await createEarlierDataDir(dataDir)
    expect(await withEngine(counts)).toEqual(each(2 * earlierRows, 2 * earlierRows))
  })

  test('keeps tables of the user, and their names', { timeout: 60_000 }, async () => {
    const odd = "it's `odd`.\\table"
    const quotedName = `\`${odd.replaceAll(/[\\`]/g, String.raw`\$&`)}\``
    await withSession((session) =>
      session.queryAsync(`CREATE TABLE ${quotedName} ENGINE = MergeTree ORDER BY n AS SELECT 7 AS n`),
    )
    expect(await withEngine((engine) => engine.query(`SELECT n FROM ${quotedName}`))).toEqual([{ n: 7 }])
  })
})

describe('access to a file by name', () => {
  let secret: string
  beforeEach(async () => {
    secret = join(dataDir, 'secret.csv')
    await writeFile(secret, 'key,value\n1,2\n')
  })

  test('is impossible in any database', async () => {
    await withEngine(async (engine) => {
      const found = await engine.query<{ name: string; engine: string }>('SELECT name, engine FROM system.databases')
      expect(found.map(({ name, engine }) => [name.toLowerCase(), engine])).not.toContainEqual([
        expect.anything(),
        expect.stringMatching(/Overlay|Filesystem/),
      ])
      for (const database of ['', 'default.', ...found.map(({ name }) => `\`${name}\`.`)]) {
        for (const name of [secret, `file://${secret}`, `${dataDir}/*.csv`, '/etc/passwd', 'package.json']) {
          for (const sql of [`SELECT * FROM ${database}\`${name}\``, `DESCRIBE TABLE ${database}\`${name}\``]) {
            await expect(engine.query(sql)).rejects.toMatchObject({ code: expect.toSatisfy(isUnknown) })
          }
        }
      }
    })
  })
})

/** The engine's numbers for a table and a database that do not exist. */
const isUnknown = (code: unknown) => code === 60 || code === 81
